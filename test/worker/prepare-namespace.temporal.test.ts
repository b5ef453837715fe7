// A starting worker adds missing search attributes to its namespace, which an upgrade may need.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleted, TASK_QUEUES, watchRecordId, WORKFLOW_TYPES } from '../../workflows/contract.ts';
import { registerSearchAttributes } from '../../worker/prepare-namespace.ts';
import { ScriptedRecord, scriptedActivities } from '../support/checks/scripted-record.ts';
import { openTemporal, type TestTemporal } from '../support/servers/temporal.ts';
import { until } from '../support/until.ts';
import { startScriptedWorker } from '../support/checks/workflow-worker.ts';

let temporal: TestTemporal;

beforeAll(async () => {
  temporal = await openTemporal();
});

afterAll(async () => {
  await temporal.connection.close();
});

const customAttributes = async (): Promise<string[]> => {
  const { namespace, connection } = temporal;
  const { customAttributes: found } = await connection.operatorService.listSearchAttributes({ namespace });
  return Object.keys(found);
};

it('regression: a namespace of an earlier version gets the attribute before workflows use it', async () => {
  const { namespace, connection, client } = temporal;
  const all = await customAttributes();
  await connection.operatorService.removeSearchAttributes({ namespace, searchAttributes: ['ErrorCode'] });
  expect(await customAttributes()).not.toContain('ErrorCode');
  await registerSearchAttributes(connection, namespace);
  expect((await customAttributes()).toSorted()).toEqual(all.toSorted());
  const record = Object.assign(new ScriptedRecord(), { errorCode: 'origin_timeout' });
  const worker = await startScriptedWorker(temporal, scriptedActivities(new Map([[record.id, record]])));
  const workflow = await client.workflow.start(WORKFLOW_TYPES.watchRecord, {
    workflowId: watchRecordId(record.id),
    taskQueue: TASK_QUEUES.records,
    args: [{ recordId: record.id }],
  });
  const query = `ErrorCode = 'origin_timeout'`;
  await until('it is found by its code', async () => (await client.workflow.count(query)).count === 1);
  record.status = 'deleted';
  await workflow.signal(deleted);
  await workflow.result();
  await worker.stop();
});

it('a namespace to which clients may not add attributes is named with those that it lacks', async () => {
  const { namespace, connection } = temporal;
  const refusal = Object.assign(new Error('Request unauthorized.'), { code: 7, details: '', metadata: {} });
  const refusing = Object.assign(Object.create(connection), {
    operatorService: Object.assign(Object.create(connection.operatorService), {
      addSearchAttributes: () => Promise.reject(refusal),
    }),
  }) as typeof connection;
  await expect(registerSearchAttributes(refusing, namespace)).resolves.toBeUndefined();
  await connection.operatorService.removeSearchAttributes({ namespace, searchAttributes: ['ErrorCode'] });
  await expect(registerSearchAttributes(refusing, namespace)).rejects.toThrow(
    /Create: ErrorCode \(KEYWORD\)/,
  );
});
