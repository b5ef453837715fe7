// The line of a record's deliveries to an ordered webhook: only its first may be sent, and only by the process that holds
// the lease of the line. A lease ends by itself, so that a process that dies holds up a line for no longer.
import { ATTEMPT_TIMEOUT_MS } from '../../core/deliveries.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { preparedRows, preparedWrite } from '../driver/prepared.ts';
import { DUE, type DueDelivery } from './deliveries.ts';

interface Line {
  webhookId: string;
  recordId: string;
}

/** The right to send the deliveries of a line, until it ends. */
export interface LineLease extends Line {
  /** The end of the lease, as the database wrote it. It tells this lease from a later one. */
  until: string;
  /** By performance.now(): no attempt may begin later, because it has to end before the lease. */
  beginsBeforeMs: number;
}

/** The time that an attempt may wait for its body within a lease. */
const PREPARATION_MS = 9_000;
const LEASE_MS = ATTEMPT_TIMEOUT_MS + PREPARATION_MS + 1_000;
const UNTIL = `clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'`;

/** @param askedAtMs when the statement was sent, so before the lease began */
const leaseOf = (line: Line, until: string, askedAtMs: number): LineLease => ({
  webhookId: line.webhookId,
  recordId: line.recordId,
  until,
  beginsBeforeMs: askedAtMs + PREPARATION_MS,
});

const firstWith = (status: string, line: { webhook: string; record: string }): string => `
  (select id, status, in_backlog, line_position from deliveries in_line
   where in_line.webhook_id = ${line.webhook} and in_line.record_id = ${line.record}
     and line_position is not null and in_line.status = '${status}'
   order by line_position, id limit 1)`;

/**
 * SQL of the first delivery of a line: the one that waits or, where a failure blocks, the one that failed, whichever is
 * earlier. Its columns are id, status and in_backlog. Refers to `webhooks`.
 */
export const firstInLine = (line: { webhook: string; record: string }): string => `
  select first.* from (
    ${firstWith('pending', line)}
    union all
    select * from ${firstWith('failed', line)} failed where webhooks.on_failure = 'block'
  ) first order by line_position, id limit 1`;

/**
 * SQL of the pending deliveries that wait for nothing but their time, with the columns id and next_attempt_at. In a line,
 * these are the first ones, and their time is not before the end of the line's last lease.
 */
export const IN_TURN = `
  select id, next_attempt_at from deliveries
  where next_attempt_at is not null and not (in_backlog and line_position is not null)
  union all
  select deliveries.id, greatest(deliveries.next_attempt_at, leases.until) as next_attempt_at from (
    select distinct webhook_id, record_id from deliveries
    where next_attempt_at is not null and in_backlog and line_position is not null
  ) lines join webhooks on webhooks.id = lines.webhook_id
  left join delivery_turns leases on leases.webhook_id = lines.webhook_id and leases.record_id = lines.record_id
  cross join lateral (${firstInLine({ webhook: 'lines.webhook_id', record: 'lines.record_id' })}) first
  join deliveries on deliveries.id = first.id
  where deliveries.in_backlog and deliveries.next_attempt_at is not null`;

const OF_WANTED = firstInLine({ webhook: 'wanted.webhook_id', record: 'wanted.record_id' });

/**
 * The position of a delivery in its line: the number of its check, of a digest that of its last check. Null for a delivery that is
 * about no check, and for a digest about several records.
 */
export const POSITION = `(case when deliveries.event_type = 'digest' then (deliveries.event_data ->> 'position')::integer else (
  select number from checks where checks.id = coalesce(deliveries.check_id,
    (select check_id from delta_events where delta_events.id = deliveries.delta_event_id))) end)`;

const TAKEN = `on conflict (webhook_id, record_id) do update set delivery_id = excluded.delivery_id, until = excluded.until
  where delivery_turns.until <= clock_timestamp()`;

const TAKE_AT_COMMIT = `
  with wanted as materialized (
    select id, webhook_id, record_id from deliveries where id = any($1::text[])
  ), firsts as (
    select wanted.* from wanted join webhooks on webhooks.id = wanted.webhook_id
    cross join lateral (${OF_WANTED}) first where first.id = wanted.id
  ), taken as (
    insert into delivery_turns (webhook_id, record_id, delivery_id, until)
    select webhook_id, record_id, id, ${UNTIL} from firsts order by webhook_id
    ${TAKEN}
    returning delivery_id, until
  ), waiting as (
    update deliveries set in_backlog = true, next_attempt_at = now()
    where id in (select id from wanted) and id not in (select delivery_id from taken)
  )
  select delivery_id as id, until::text from taken`;

/**
 * Leases the lines of new deliveries, in the transaction that commits them, if they are the first of their lines. The others
 * wait in their lines. No other delivery of the record is committed meanwhile.
 * @returns the leases by delivery
 */
export async function leaseLinesAtCommit(
  trx: Knex.Transaction,
  deliveries: readonly DueDelivery[],
): Promise<ReadonlyMap<string, LineLease>> {
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const askedAtMs = performance.now();
  const rows = await preparedRows<{ id: string; until: string }>(trx, TAKE_AT_COMMIT, [[...byId.keys()]]);
  return new Map(
    rows.flatMap(({ id, until }) => {
      const delivery = byId.get(id);
      return delivery === undefined ? [] : [[id, leaseOf(delivery, until, askedAtMs)] as const];
    }),
  );
}

const TAKE = `
  insert into delivery_turns (webhook_id, record_id, delivery_id, until)
  select distinct on (webhook_id, record_id) webhook_id, record_id, id, ${UNTIL}
  from deliveries where id = any($1::text[]) order by webhook_id, record_id
  ${TAKEN}
  returning webhook_id as "webhookId", record_id as "recordId", until::text`;

/** Read by a statement of its own: the one that took the leases may have seen the lines as they were before. */
const FIRSTS_OF = `
  select wanted.id from deliveries wanted join webhooks on webhooks.id = wanted.webhook_id
  cross join lateral (${OF_WANTED}) first where wanted.id = any($1::text[]) and first.id = wanted.id`;

/**
 * Leases the lines of deliveries that are the first of their lines, where no other process holds the lease.
 * @returns the leases by delivery; the other deliveries have to wait
 */
export async function leaseLines(
  db: Database,
  deliveries: readonly DueDelivery[],
): Promise<ReadonlyMap<string, LineLease>> {
  const leases = new Map<string, LineLease>();
  if (deliveries.length === 0) return leases;
  const ids = deliveries.map(({ id }) => id);
  const askedAtMs = performance.now();
  const taken = await preparedWrite<Line & { until: string }>(db, TAKE, [ids]);
  if (taken.length === 0) return leases;
  const firsts = await preparedWrite<{ id: string }>(db, FIRSTS_OF, [ids]);
  const isFirst = new Set(firsts.map(({ id }) => id));
  const unused: LineLease[] = [];
  for (const line of taken) {
    const lease = leaseOf(line, line.until, askedAtMs);
    const first = deliveries.find((one) => isFirst.has(one.id) && isOfLine(one, line));
    if (first === undefined) unused.push(lease);
    else leases.set(first.id, lease);
  }
  if (unused.length > 0)
    await passLeases(
      db,
      unused.map((lease) => ({ lease, goesOn: false })),
    );
  return leases;
}

const isOfLine = (one: Line, line: Line): boolean =>
  one.webhookId === line.webhookId && one.recordId === line.recordId;

/** The first of a line continues only if it waits for a lease. Another one waits for a later attempt, or has failed. */
const PASS = `
  with ended as materialized (
    select leases.webhook_id, leases.record_id, goes_on from delivery_turns leases
    join unnest($1::text[], $2::text[], $3::timestamptz[], $4::boolean[]) as ended (webhook_id, record_id, until, goes_on)
      on leases.webhook_id = ended.webhook_id and leases.record_id = ended.record_id and leases.until = ended.until
    order by leases.webhook_id, leases.record_id for update of leases
  ), next as materialized (
    select ended.webhook_id, ended.record_id, first.id from ended join webhooks on webhooks.id = ended.webhook_id
    cross join lateral (${firstInLine({ webhook: 'ended.webhook_id', record: 'ended.record_id' })}) first
    where goes_on and webhooks.enabled and first.status = 'pending' and first.in_backlog
  ), passed as (
    update delivery_turns leases set delivery_id = coalesce(next.id, leases.delivery_id),
      until = case when next.id is null then clock_timestamp() else ${UNTIL} end
    from ended left join next using (webhook_id, record_id)
    where leases.webhook_id = ended.webhook_id and leases.record_id = ended.record_id
    returning next.id, leases.until::text as until
  )
  select due.*, passed.until from passed cross join lateral (${DUE} where deliveries.id = passed.id) due`;

/** A delivery that may be sent now. */
export type LeasedDelivery = DueDelivery & { lease: LineLease };

interface PassedLease {
  lease: LineLease;
  /** False: no other delivery of the line is taken. */
  goesOn: boolean;
}

/**
 * Ends leases once their attempts are recorded, and takes the next one of each line in which a delivery waits for it. Leases
 * that are over are left alone.
 */
export async function passLeases(db: Database, passed: readonly PassedLease[]): Promise<LeasedDelivery[]> {
  const askedAtMs = performance.now();
  const rows = await preparedWrite<DueDelivery & { until: string }>(db, PASS, [
    passed.map(({ lease }) => lease.webhookId),
    passed.map(({ lease }) => lease.recordId),
    passed.map(({ lease }) => lease.until),
    passed.map(({ goesOn }) => goesOn),
  ]);
  return rows.map((row) => ({ ...row, lease: leaseOf(row, row.until, askedAtMs) }));
}

/** Skips from record to record, so that a line costs the same however long it is. Nothing is sent of deleted records. */
const TAKE_LINES = `
  with recursive lines as (
    (select record_id from deliveries
     where webhook_id = $1 and line_position is not null and status = 'pending' order by record_id limit 1)
    union all
    select (select record_id from deliveries
      where webhook_id = $1 and line_position is not null and status = 'pending' and record_id > lines.record_id
      order by record_id limit 1)
    from lines where lines.record_id is not null
  ), ready as materialized (
    select lines.record_id, first.id, leases.until from lines join webhooks on webhooks.id = $1
    join records on records.id = lines.record_id and records.deleted_at is null
    cross join lateral (${firstInLine({ webhook: '$1', record: 'lines.record_id' })}) first
    left join delivery_turns leases on leases.webhook_id = $1 and leases.record_id = lines.record_id
    where lines.record_id is not null and webhooks.enabled and first.status = 'pending' and first.in_backlog
  ), free as (
    select record_id, id from ready where until is null or until <= clock_timestamp() order by record_id limit $2
  ), taken as (
    insert into delivery_turns (webhook_id, record_id, delivery_id, until)
    select $1, record_id, id, ${UNTIL} from free
    ${TAKEN}
    returning record_id, until
  )
  select record_id as "recordId", until::text, null::double precision as "heldForMs" from taken
  union all
  select null, null, extract(epoch from min(until) - clock_timestamp())::double precision * 1000 from ready
  where until > clock_timestamp()`;

export interface LeasedLines {
  /** The first delivery of each line that was taken. */
  firsts: LeasedDelivery[];
  /** How long it takes until the lease of another process ends in a line that waits; null when there is none. */
  heldForMs: number | null;
}

/** Leases the lines whose first delivery waits. */
export async function leaseWaitingLines(
  db: Database,
  webhookId: string,
  limit: number,
): Promise<LeasedLines> {
  const askedAtMs = performance.now();
  const rows = await preparedWrite<
    { recordId: string; until: string } | { recordId: null; heldForMs: number | null }
  >(db, TAKE_LINES, [webhookId, limit]);
  const leases = rows.flatMap((row) =>
    row.recordId === null ? [] : leaseOf({ webhookId, recordId: row.recordId }, row.until, askedAtMs),
  );
  const held = rows.find((row) => row.recordId === null);
  return {
    // The first delivery may have changed before the lease began.
    firsts:
      leases.length === 0
        ? []
        : await passLeases(
            db,
            leases.map((lease) => ({ lease, goesOn: true })),
          ),
    heldForMs: held?.recordId === null ? held.heldForMs : null,
  };
}

/** Gives the waiting deliveries of a webhook their positions in line, or takes them out. */
export async function reline(trx: Database, webhookId: string, isOrdered: boolean): Promise<void> {
  await rawRows(
    trx,
    `update deliveries set line_position = ${isOrdered ? `coalesce(line_position, ${POSITION})` : 'null'}
     where id = any(array(
       select id from deliveries
       where webhook_id = ? and ${isOrdered ? `status in ('pending', 'collecting')` : 'line_position is not null'}
       order by id for no key update))`,
    [webhookId],
  );
}
