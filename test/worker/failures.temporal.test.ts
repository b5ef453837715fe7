// What a real Temporal server stores when an activity throws: which kind of error it was, and nothing of its message.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../db/driver/knex.ts';
import { TASK_QUEUES, WORKFLOW_TYPES } from '../../workflows/contract.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';
import { openTemporal, type TestTemporal } from '../support/servers/temporal.ts';
import { type ScriptedWorker, startScriptedWorker } from '../support/checks/workflow-worker.ts';

const ROW = 'private-row';
const PASSWORD = 'private-password';

let temporal: TestTemporal;
let worker: ScriptedWorker;
let database: TestDatabase;
let db: Database;
let fail: () => unknown;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 1 });
  await db.raw('create table people (name text primary key, age integer)');
  await db('people').insert({ name: ROW });
  temporal = await openTemporal();
  worker = await startScriptedWorker(temporal, { previewRule: async () => void (await fail()) });
});

afterAll(async () => {
  await worker.stop();
  await temporal.connection.close();
  await db.destroy();
  await database.drop();
});

/** All that the server has of a workflow whose activity failed, with its texts readable. */
async function storedHistory(workflowId: string): Promise<string> {
  const handle = await temporal.client.workflow.start(WORKFLOW_TYPES.previewRule, {
    workflowId,
    taskQueue: TASK_QUEUES.records,
    args: [{ previewId: workflowId }],
  });
  await expect(handle.result()).rejects.toThrow('Workflow execution failed');
  const { events = [] } = await handle.fetchHistory();
  return JSON.stringify(events);
}

describe('regression: Temporal stores no message of an unexpected error', () => {
  it.each<[string, () => unknown, string]>([
    ['of a statement with its values', () => db('people').insert({ name: ROW }), 'DatabaseError (23505)'],
    [
      'of a value that PostgreSQL cannot read',
      () => db.raw('select ?::text::integer', [ROW]),
      'DatabaseError (22P02)',
    ],
    ['of a parser', () => JSON.parse(ROW) as unknown, 'SyntaxError'],
    [
      'of a cause',
      () => {
        throw new TypeError(ROW, { cause: new Error(`https://x:${PASSWORD}@example.com/`) });
      },
      'TypeError, caused by Error',
    ],
    [
      'with a text for a code',
      () => {
        throw Object.assign(new Error(ROW), { code: `https://x:${PASSWORD}@example.com/` });
      },
      'Error',
    ],
    [
      'that is a text',
      () => {
        // eslint-disable-next-line no-throw-literal -- a library may do so
        throw ROW;
      },
      'string',
    ],
  ])('%s', async (what, throws, kinds) => {
    fail = throws;
    const stored = await storedHistory(what);
    expect(stored).toContain(`"${kinds}. The worker’s log says more."`);
    expect(stored).not.toContain(ROW);
    expect(stored).not.toContain(PASSWORD);
  });
});
