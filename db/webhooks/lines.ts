// The line of a record's deliveries to an ordered webhook: only its first may be sent, and only by the process whose turn it
// is. A turn ends by itself, so that a process that dies holds up a line for no longer.
import { ATTEMPT_TIMEOUT_MS } from '../../core/deliveries.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { preparedRows, preparedWrite } from '../driver/prepared.ts';
import { DUE, type DueDelivery } from './deliveries.ts';

interface Line {
  webhookId: string;
  recordId: string;
}

/** The right to send the deliveries of a line. */
export interface Turn extends Line {
  /** The end of the turn, as the database wrote it. It tells this turn from a later one. */
  until: string;
  /** By performance.now(): no attempt may begin later, because it has to end before the turn. */
  beginsBeforeMs: number;
}

/** The time that an attempt may wait for its body within a turn. */
const PREPARATION_MS = 9_000;
const TURN_MS = ATTEMPT_TIMEOUT_MS + PREPARATION_MS + 1_000;
const UNTIL = `clock_timestamp() + ${TURN_MS} * interval '1 millisecond'`;

/** @param askedAtMs when the statement was sent, so before the turn began */
const turnOf = (line: Line, until: string, askedAtMs: number): Turn => ({
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

const OF_WANTED = firstInLine({ webhook: 'wanted.webhook_id', record: 'wanted.record_id' });

/** The position of a delivery in its line: the number of its check. Null for a delivery that is about no check. */
export const POSITION = `(select number from checks where checks.id = coalesce(deliveries.check_id,
  (select check_id from delta_events where delta_events.id = deliveries.delta_event_id)))`;

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
 * Takes the turns of new deliveries, in the transaction that commits them, if they are the first of their lines. The others
 * wait in their lines. No other delivery of the record is committed meanwhile.
 * @returns the turns by delivery
 */
export async function takeTurnsAtCommit(
  trx: Knex.Transaction,
  deliveries: readonly DueDelivery[],
): Promise<ReadonlyMap<string, Turn>> {
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const askedAtMs = performance.now();
  const rows = await preparedRows<{ id: string; until: string }>(trx, TAKE_AT_COMMIT, [[...byId.keys()]]);
  return new Map(
    rows.flatMap(({ id, until }) => {
      const delivery = byId.get(id);
      return delivery === undefined ? [] : [[id, turnOf(delivery, until, askedAtMs)] as const];
    }),
  );
}

const TAKE = `
  insert into delivery_turns (webhook_id, record_id, delivery_id, until)
  select distinct on (webhook_id, record_id) webhook_id, record_id, id, ${UNTIL}
  from deliveries where id = any($1::text[]) order by webhook_id, record_id
  ${TAKEN}
  returning webhook_id as "webhookId", record_id as "recordId", until::text`;

/** Read by a statement of its own: the one that took the turns may have seen the lines as they were before. */
const FIRSTS_OF = `
  select wanted.id from deliveries wanted join webhooks on webhooks.id = wanted.webhook_id
  cross join lateral (${OF_WANTED}) first where wanted.id = any($1::text[]) and first.id = wanted.id`;

/**
 * Takes the turns of deliveries that are the first of their lines, where no other process has the turn.
 * @returns the turns by delivery; the other deliveries have to wait
 */
export async function takeTurns(
  db: Database,
  deliveries: readonly DueDelivery[],
): Promise<ReadonlyMap<string, Turn>> {
  const turns = new Map<string, Turn>();
  if (deliveries.length === 0) return turns;
  const ids = deliveries.map(({ id }) => id);
  const askedAtMs = performance.now();
  const taken = await preparedWrite<Line & { until: string }>(db, TAKE, [ids]);
  if (taken.length === 0) return turns;
  const firsts = await preparedWrite<{ id: string }>(db, FIRSTS_OF, [ids]);
  const isFirst = new Set(firsts.map(({ id }) => id));
  const unused: Turn[] = [];
  for (const line of taken) {
    const turn = turnOf(line, line.until, askedAtMs);
    const first = deliveries.find((one) => isFirst.has(one.id) && isOfLine(one, line));
    if (first === undefined) unused.push(turn);
    else turns.set(first.id, turn);
  }
  if (unused.length > 0)
    await passTurns(
      db,
      unused.map((turn) => ({ turn, goesOn: false })),
    );
  return turns;
}

const isOfLine = (one: Line, line: Line): boolean =>
  one.webhookId === line.webhookId && one.recordId === line.recordId;

/** The first of a line continues only if it waits for its turn. Another one waits for a later attempt, or has failed. */
const PASS = `
  with ended as materialized (
    select turns.webhook_id, turns.record_id, goes_on from delivery_turns turns
    join unnest($1::text[], $2::text[], $3::timestamptz[], $4::boolean[]) as ended (webhook_id, record_id, until, goes_on)
      on turns.webhook_id = ended.webhook_id and turns.record_id = ended.record_id and turns.until = ended.until
    order by turns.webhook_id, turns.record_id for update of turns
  ), next as materialized (
    select ended.webhook_id, ended.record_id, first.id from ended join webhooks on webhooks.id = ended.webhook_id
    cross join lateral (${firstInLine({ webhook: 'ended.webhook_id', record: 'ended.record_id' })}) first
    where goes_on and webhooks.enabled and first.status = 'pending' and first.in_backlog
  ), passed as (
    update delivery_turns turns set delivery_id = coalesce(next.id, turns.delivery_id),
      until = case when next.id is null then clock_timestamp() else ${UNTIL} end
    from ended left join next using (webhook_id, record_id)
    where turns.webhook_id = ended.webhook_id and turns.record_id = ended.record_id
    returning next.id, turns.until::text as until
  )
  select due.*, passed.until from passed cross join lateral (${DUE} where deliveries.id = passed.id) due`;

/** A delivery that may be sent now. */
export type DueInTurn = DueDelivery & { turn: Turn };

interface PassedTurn {
  turn: Turn;
  /** False: no other delivery of the line is taken. */
  goesOn: boolean;
}

/**
 * Ends turns once their attempts are recorded, and takes the next one of each line in which a delivery waits for it. Turns that
 * are over are left alone.
 */
export async function passTurns(db: Database, passed: readonly PassedTurn[]): Promise<DueInTurn[]> {
  const askedAtMs = performance.now();
  const rows = await preparedWrite<DueDelivery & { until: string }>(db, PASS, [
    passed.map(({ turn }) => turn.webhookId),
    passed.map(({ turn }) => turn.recordId),
    passed.map(({ turn }) => turn.until),
    passed.map(({ goesOn }) => goesOn),
  ]);
  return rows.map((row) => ({ ...row, turn: turnOf(row, row.until, askedAtMs) }));
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
    select lines.record_id, first.id, turns.until from lines join webhooks on webhooks.id = $1
    join records on records.id = lines.record_id and records.deleted_at is null
    cross join lateral (${firstInLine({ webhook: '$1', record: 'lines.record_id' })}) first
    left join delivery_turns turns on turns.webhook_id = $1 and turns.record_id = lines.record_id
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

export interface TakenLines {
  /** The first delivery of each line that was taken. */
  firsts: DueInTurn[];
  /** How long it takes until the turn of another process ends in a line that waits; null when there is none. */
  heldForMs: number | null;
}

/** Takes the turns of lines whose first delivery waits for one. */
export async function takeLines(db: Database, webhookId: string, limit: number): Promise<TakenLines> {
  const askedAtMs = performance.now();
  const rows = await preparedWrite<
    { recordId: string; until: string } | { recordId: null; heldForMs: number | null }
  >(db, TAKE_LINES, [webhookId, limit]);
  const turns = rows.flatMap((row) =>
    row.recordId === null ? [] : turnOf({ webhookId, recordId: row.recordId }, row.until, askedAtMs),
  );
  const held = rows.find((row) => row.recordId === null);
  return {
    // The first delivery may have changed before the turn began.
    firsts:
      turns.length === 0
        ? []
        : await passTurns(
            db,
            turns.map((turn) => ({ turn, goesOn: true })),
          ),
    heldForMs: held?.recordId === null ? held.heldForMs : null,
  };
}

/** Gives the waiting deliveries of a webhook their places in line, or takes them out. */
export async function reline(trx: Database, webhookId: string, isOrdered: boolean): Promise<void> {
  await rawRows(
    trx,
    `update deliveries set line_position = ${isOrdered ? POSITION : 'null'}
     where id = any(array(
       select id from deliveries
       where webhook_id = ? and ${isOrdered ? `status = 'pending'` : 'line_position is not null'}
       order by id for no key update))`,
    [webhookId],
  );
}
