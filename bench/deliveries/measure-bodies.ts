// Measures the rate of deliveries of events of ten rows with only their keys in the body, with the rows, in order, under a
// condition, and with all of these, from the transaction that commits an event. The kinds take turns in one run, and each has as
// many records and webhooks as the others.
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { type Database, rawRows } from '../../db/driver/knex.ts';
import { insertDeliveries } from '../../db/webhooks/new-deliveries.ts';
import { median } from '../statistics.ts';
import type { System } from '../system.ts';
import { assertDelivered, timed } from './delivery-bench.ts';
import { openDriver } from './driver.ts';
import { startReceiver } from './receiver.ts';
import { seedRecord } from './seed.ts';

const RECORDS = 16;
const WEBHOOKS = 10;
const EVENTS_PER_RECORD = 20;
const ROWS = 10;

/** Every event meets it, by its last row. */
const CONDITION = {
  some: [{ var: 'rows' }, { and: [{ '>': [{ after: 'price' }, 0] }, { '==': [{ after: 'stock' }, ROWS] }] }],
};

const KINDS = {
  keys: {},
  rows: { include: 'rows' },
  ordered: { ordered: true },
  condition: { condition: CONDITION },
  all: { include: 'rows', ordered: true, condition: CONDITION },
} as const;
type Kind = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as Kind[];

interface Rate {
  perSecond: number;
  /** Of worker, Temporal and PostgreSQL for each delivery. */
  cpuMs: number;
}

export type BodiesResult = Record<Kind, Rate[]>;

export async function measureBodies(
  system: System,
  rounds: number,
  report: (text: string) => void,
): Promise<BodiesResult> {
  const connection = await Connection.connect({ address: system.dev.temporalAddress });
  const temporal = new Client({ connection, namespace: system.dev.temporalNamespace });
  const receiver = await startReceiver();
  const driver = await openDriver(system, temporal);
  const records = new Map<Kind, string[]>();
  for (const kind of NAMES) records.set(kind, await seedRecords(system, receiver.url, kind));
  const result: BodiesResult = { keys: [], rows: [], ordered: [], condition: [], all: [] };
  for (let round = 0; round <= rounds; round += 1) {
    // Nobody is always first.
    for (const kind of [...NAMES.slice(round % NAMES.length), ...NAMES.slice(0, round % NAMES.length)]) {
      const ids = records.get(kind) ?? [];
      const count = RECORDS * WEBHOOKS * EVENTS_PER_RECORD;
      const rate = await timed(system, count, async () => {
        const lanes = await Promise.all(ids.map((id) => seedEvents(system.db, id, round)));
        await Promise.all(lanes.map((checks) => driver.drive(checks)));
        await untilDelivered(system, ids);
      });
      for (const id of ids) await assertDelivered(system, id);
      report(
        `bodies, round ${round}: ${kind} ${rate.perSecond.toFixed(0)}/s, ${rate.cpuMs.toFixed(2)} ms each`,
      );
      // The first round fills caches.
      if (round > 0) result[kind].push(rate);
    }
  }
  await driver.close();
  receiver.close();
  await connection.close();
  return result;
}

async function seedRecords(system: System, url: string, kind: Kind): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < RECORDS; made += 1) {
    const { recordId, webhooks } = await seedRecord(system, url, WEBHOOKS);
    for (const { id } of webhooks) {
      await system.api.call('PATCH', `/v1/sources/${recordId}/webhooks/${id}`, KINDS[kind]);
    }
    ids.push(recordId);
  }
  return ids;
}

/** Events with ten changed rows, with row versions and deliveries as commits leave them. @returns their checks, in order */
function seedEvents(db: Database, recordId: string, round: number): Promise<string[]> {
  const first = round * EVENTS_PER_RECORD + 1;
  return db.transaction(async (trx) => {
    const checks: string[] = [];
    for (let number = first; number < first + EVENTS_PER_RECORD; number += 1) {
      const [made] = await rawRows<{ eventId: string; checkId: string }>(trx, EVENT, { recordId, number });
      if (made === undefined) throw new Error('No event was made');
      await insertDeliveries(trx, recordId, made.eventId, { trigger: 'schedule', claimMs: 0 });
      checks.push(made.checkId);
    }
    return checks;
  });
}

const EVENT = `
  with head as (
    update record_heads set check_number = :number, sequence = :number where record_id = :recordId returning record_no
  ), ended as (
    update row_versions set last_seq = :number - 1
    where record_no = (select record_no from head) and last_seq is null
  ), versions as (
    insert into row_versions (record_no, generation, row_key, first_seq, row_hash, data)
    select record_no, 1, 'item-' || key, :number, '\\x00',
      json_build_object('id', 'item-' || key, 'name', 'Some item of the shop', 'price', :number * key, 'stock', key)
    from head, generate_series(1, ${ROWS}) key
  ), made as (
    insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome)
    values ('chk_' || replace(uuidv7()::text, '-', ''), :recordId, :number, 'schedule', now(), clock_timestamp(), 'changed')
    returning id
  )
  insert into delta_events (id, record_id, number, check_id, snapshot_id, generation, sequence, detected_at, is_no_change,
    new_count, changed_count, unchanged_count, total_count, changed_keys)
  select 'evt_' || replace(uuidv7()::text, '-', ''), :recordId, :number, id, 'snap_bench', 1, :number,
    date_trunc('milliseconds', clock_timestamp()), false, case when :number = 1 then ${ROWS} else 0 end,
    case when :number = 1 then 0 else ${ROWS} end, 190, 200,
    array(select 'item-' || key from generate_series(1, ${ROWS}) key)
  from made
  returning id as "eventId", check_id as "checkId"`;

/** Deliveries that wait in a line are sent after the activity of their check has ended. */
async function untilDelivered({ db }: System, recordIds: readonly string[]): Promise<void> {
  for (;;) {
    const left = await db('deliveries')
      .whereIn('recordId', [...recordIds])
      .where({ status: 'pending' })
      .first();
    if (left === undefined) return;
    await pause(20);
  }
}

export function bodiesRows(result: BodiesResult): string[][] {
  const middle = (kind: Kind, pick: (rate: Rate) => number): number => median(result[kind].map(pick));
  return NAMES.filter((kind) => kind !== 'keys').map((kind) => {
    const ratios = result[kind].map(({ perSecond }, at) => perSecond / (result.keys[at]?.perSecond ?? NaN));
    const rates = `${middle(kind, (rate) => rate.perSecond).toFixed(0)} to ${middle('keys', (rate) => rate.perSecond).toFixed(0)}/s`;
    const cpu = `CPU ${middle(kind, (rate) => rate.cpuMs).toFixed(2)} to ${middle('keys', (rate) => rate.cpuMs).toFixed(2)} ms`;
    return [
      `Deliveries of ten rows: ${kind}, to keys only`,
      median(ratios).toFixed(2),
      '>= 0.80',
      `${rates}, ${cpu}`,
    ];
  });
}
