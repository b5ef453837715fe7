// What must be true after an upgrade under load: no request failed, no workflow did, and all data is what it would be without.
import { expect } from 'vitest';
import { shortChecksSql, shortRowsSql } from '../../db/unchanged-checks.ts';
import type { ChangingRecords, Subject } from '../support/checks/changing-records.ts';
import {
  expectNothingStuck,
  expectOneEventPerCheck,
  expectTrueDeliveries,
  expectTrueEvents,
} from '../support/checks/expect-truth.ts';
import { readAll } from '../support/servers/system.ts';
import { until } from '../support/until.ts';
import { failedTasks, type Histories } from './failed-tasks.ts';
import type { Load } from './load.ts';

interface Upgraded {
  load: Load;
  records: ChangingRecords;
  histories: Histories;
  /** Gets the figures, also those of a failure. */
  report?: (figures: object) => void;
}

/** Ends the load and the changes. */
export async function expectUpgraded(
  subject: Subject,
  { load, records, histories, report }: Upgraded,
): Promise<void> {
  await load.stop();
  records.rest();
  await until('all is on record and delivered', records.isOnRecord, { everyMs: 1_000 });
  await expectNothingStuck(subject, histories.temporal, records);
  await records.endChecks();
  let changes = 0;
  for (const one of records.watched) {
    changes += (await expectTrueEvents(subject, one)).length - 1;
    await expectOneEventPerCheck(subject, one);
  }
  await expectTrueDeliveries(subject, records);
  const failed = await failedTasks(histories);
  report?.({ requests: load.sent(), changes, deliveries: records.accepted.size, ...failed });
  // With fewer changes the tables hardly moved, and nothing was tested.
  expect(changes).toBeGreaterThan(records.watched.length);
  expect(failed).toMatchObject({ nonDeterministic: 0, restarted: 0 });
  expect(load.failures).toEqual([]);
}

/** Every record that the API created and every check that it promised is there. */
export async function expectPromisesKept(
  { call, database }: Subject,
  load: Load,
  { watched }: ChangingRecords,
): Promise<void> {
  expect(load.created.length).toBeGreaterThan(10);
  for (const id of load.created) {
    const events = await readAll({ call }, `/v1/sources/${id}/delta`, 'events');
    expect(events).toMatchObject([{ number: 1, totalCount: 1 }]);
  }
  expect(load.promised.length).toBeGreaterThan(10);
  const made = new Set<string>();
  for (const { id } of watched) {
    const checks = await database.db.raw<{ rows: { id: string }[] }>(
      `select id from checks where record_id = :id
       union all select id from (${shortChecksSql(shortRowsSql(':id'), ':id')}) short`,
      { id },
    );
    for (const check of checks.rows) made.add(check.id);
  }
  expect(load.promised.filter((id) => !made.has(id))).toEqual([]);
}
