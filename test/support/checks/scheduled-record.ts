// Records of the whole product whose checks on schedule a test makes due, and what the API and Temporal say of them.
import { setNextCheck } from '../../../db/records/records.ts';
import { settingsChanged, watchRecordId } from '../../../workflows/contract.ts';
import { createGate } from '../gate.ts';
import type { Origin } from '../servers/origin-server.ts';
import { type CheckView, createRecord, readAll, type System, untilCheck } from '../servers/system.ts';
import { until } from '../until.ts';

export const csv = (rows: number): string =>
  ['id,name', ...Array.from({ length: rows }, (_, i) => `${i},row ${i}`)].join('\n');

/** A record with 30 rows and one check. */
export async function makeScheduledRecord(system: System, origin: Origin, path: string) {
  origin.set(path, { body: csv(30) });
  const { id } = await createRecord(system, { url: origin.url + path, keyFields: ['id'] });
  const { db } = system.database;
  const handle = system.temporal.client.workflow.getHandle(watchRecordId(id));
  const requests = () => origin.requests.filter((request) => request.path === path).length;
  const checks = async () =>
    (await readAll<CheckView>(system, `/v1/sources/${id}/checks`, 'checks')).toReversed();
  /** The activity that makes the checks on schedule, as operators see it. */
  const findPoll = async () => {
    const { raw } = await handle.describe();
    return raw.pendingActivities?.find(({ activityType }) => activityType?.name === 'pollSource');
  };
  /** Makes the next check on schedule due. */
  const due = async () => {
    await setNextCheck(db, id, 0);
    await handle.signal(settingsChanged);
  };
  return {
    id,
    path,
    handle,
    requests,
    checks,
    findPoll,
    due,
    outcomes: async () => (await checks()).map(({ outcome }) => outcome),
    /** Lets a check come as far as its request to the origin, which answers with so many rows once the gate is open. */
    beginCheck: async (rows: number) => {
      const gate = createGate();
      origin.set(path, { body: csv(rows), until: gate.wait() });
      const asked = requests();
      await due();
      await until('the origin is asked', () => requests() > asked);
      return { gate, requestsSince: () => requests() - asked };
    },
    untilOutcome: (wanted: string) =>
      untilCheck(system, id, `a check that is ${wanted}`, ({ outcome }) => outcome === wanted),
    untilPollSays: (words: RegExp) =>
      until(`the poll says ${words}`, async () => {
        const poll = await findPoll();
        return words.test(poll?.lastFailure?.message ?? '') ? poll : undefined;
      }),
    status: async () => {
      const { typedSearchAttributes } = await handle.describe();
      return typedSearchAttributes.getAll().find(({ key }) => key.name === 'RecordStatus')?.value;
    },
    /** Locks the record's head, so that commits wait. */
    lock: async () => {
      const lock = await db.transaction();
      await lock.raw('select 1 from record_heads where record_id = ? for update', [id]);
      return lock;
    },
  };
}
