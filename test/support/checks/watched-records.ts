// Records that a test checks with the real activities, without a worker.
import { afterAll, beforeAll } from 'vitest';
import { findLatestDeltaEvent } from '../../../db/rows/delta-events.ts';
import { decideHeldCheck } from '../../../db/records/held-checks.ts';
import { listChecks } from '../../../db/check-log.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import {
  findRecord,
  type RecordChanges,
  type TrackedRecord,
  updateRecord,
} from '../../../db/records/records.ts';
import { type ActivityBench, openActivityBench } from './activity-bench.ts';
import { type Origin, type OriginBehaviour, startOrigin } from '../servers/origin-server.ts';

interface CheckView {
  id: string;
  trigger: string;
  outcome: string;
  code: string | null;
  detail: string | null;
  warnings: { code: string; count: number; samples: string[] }[];
}

/** SQL of a JSON column in which these times are earlier. */
const aged = (column: string, ...paths: string[]): string =>
  `${paths.reduce(
    (json, path) => `case when ${column} #> '${path}' is null then ${json}
      else jsonb_set(${json}, '${path}', to_jsonb((${column} #>> '${path}')::double precision - :ms)) end`,
    `${column}::jsonb`,
  )}::json`;

/** Call it once in a test file, outside of tests. */
export function useWatchedRecords() {
  let bench: ActivityBench;
  let origin: Origin;
  let paths = 0;
  beforeAll(async () => {
    [bench, origin] = [await openActivityBench(), await startOrigin()];
  });
  afterAll(async () => {
    await origin.close();
    await bench.close();
  });
  const get = async (id: string): Promise<TrackedRecord> => {
    const record = await findRecord(bench.database.db, id);
    if (record === undefined) throw new Error('The record is gone');
    return record;
  };
  return {
    bench: () => bench,
    origin: () => origin,
    get,
    /** Creates a record and checks it once. */
    makeRecord: async (
      body: string | Buffer,
      settings: Partial<Parameters<ActivityBench['makeRecord']>[0]> = {},
      contentType = 'text/csv',
    ) => {
      paths += 1;
      const path = `/feed-${paths}`;
      const headers = { 'content-type': contentType };
      origin.set(path, { body, headers });
      const id = await bench.makeRecord({ url: origin.url + path, ...settings });
      await bench.check(id);
      return {
        id,
        serve: (next: string | Buffer, how: OriginBehaviour = {}) =>
          origin.set(path, { body: next, headers, ...how }),
      };
    },
    patch: (id: string, changes: RecordChanges) => updateRecord(bench.database.db, id, changes),
    plan: (id: string) => bench.run(({ planCheck }) => planCheck(id)),
    settle: (id: string) => bench.run(({ settleRecord }) => settleRecord(bench.newCheck(id))),
    decide: async (id: string, decision: 'accepted' | 'rejected') =>
      decideHeldCheck(bench.database.db, {
        recordId: id,
        checkId: (await get(id)).heldCheckId ?? '',
        decision,
      }),
    /** As if the body had been held for so much longer. */
    ageHeld: async (id: string, seconds: number): Promise<void> => {
      const ms = seconds * 1_000;
      await rawRows(
        bench.database.db,
        `update record_heads set held_since = held_since - :ms * interval '1 ms',
           held_body = ${aged('held_body', '{rowsSinceMs}', '{openEndedRun,countedAtMs}')},
           open_ended_run = ${aged('open_ended_run', '{countedAtMs}')}
         where record_id = :id`,
        { id, ms },
      );
    },
    latest: async (id: string) => {
      const event = await findLatestDeltaEvent(bench.database.db, id);
      if (event === undefined) throw new Error('There is no event');
      return event;
    },
    lastCheck: async (id: string): Promise<CheckView | undefined> => {
      const [check] = await listChecks(bench.database.db, id, 'desc', { after: null, limit: 1 });
      if (check === undefined) return undefined;
      const { trigger, outcome, errorCode: code, errorDetail: detail, warnings } = check;
      return { id: check.id, trigger, outcome, code, detail, warnings };
    },
    /** The rows' data in the latest snapshot, by key. */
    rowsOf: async (id: string): Promise<Record<string, string>> => {
      const { recordNo, generation } = await get(id);
      const rows = await rawRows<{ key: string; data: string }>(
        bench.database.db,
        `select row_key as key, data::text as data from row_versions
         where record_no = ? and generation = ? and last_seq is null order by row_key`,
        [recordNo, generation],
      );
      return Object.fromEntries(rows.map(({ key, data }) => [key, data]));
    },
  };
}
