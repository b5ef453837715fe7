// Links of the document: which answers hold the ids that other operations take in their paths.
import type { Operation } from '../contract/operation.ts';
import type { JsonObject } from './named-schemas.ts';

/** By path parameter, the operations whose answers hold a value for it, and where (RFC 6901). */
const HELD_AT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  id: { createRecord: '/id', listRecords: '/sources/0/id' },
  checkId: { checkRecord: '/id', listChecks: '/checks/0/id' },
  deltaEventId: { getLatestDeltaEvent: '/id', listDeltaEvents: '/events/0/id' },
  snapshotId: { listSnapshots: '/snapshots/0/id' },
  key: { listSnapshotRows: '/rows/0/key' },
  webhookId: {
    createWebhook: '/id',
    listWebhooks: '/webhooks/0/id',
    createAccountWebhook: '/id',
    listAccountWebhooks: '/webhooks/0/id',
  },
  deliveryId: {
    testWebhook: '/id',
    listDeliveries: '/deliveries/0/id',
    testAccountWebhook: '/id',
    listAccountDeliveries: '/deliveries/0/id',
  },
  keyId: {
    createApiKey: '/id',
    listApiKeys: '/apiKeys/0/id',
    createRecordApiKey: '/id',
    listRecordApiKeys: '/apiKeys/0/id',
  },
  connectedClientId: { listConnectedClients: '/connectedClients/0/id' },
};

/** @returns the links of an operation's successful answers, each named after the operation that it leads to */
export function linksOf(operation: Operation, operations: readonly Operation[]): JsonObject {
  const links = operations.flatMap((target) => {
    const parameters = Object.keys(target.params.properties).map((name) => [name, sourceOf(name, operation)]);
    const isFound = parameters.every(([, source]) => source !== undefined);
    const isNew = parameters.some(([, source]) => source?.startsWith('$response') === true);
    if (!isFound || !isNew || !hasSameOwner(operation, target)) return [];
    return [[target.name, { operationId: target.name, parameters: Object.fromEntries(parameters) }]];
  });
  return Object.fromEntries(links);
}

/** Whether a webhook that one operation names is one that the other finds. A record's webhook is not one of the account's. */
const hasSameOwner = (source: Operation, target: Operation): boolean =>
  !('webhookId' in target.params.properties) ||
  'id' in source.params.properties === 'id' in target.params.properties;

/** @returns the expression that says where a call of `operation` has the value of a path parameter */
function sourceOf(parameter: string, { name, params }: Operation): string | undefined {
  const pointer = HELD_AT[parameter]?.[name];
  if (pointer !== undefined) return `$response.body#${pointer}`;
  return parameter in params.properties ? `$request.path.${parameter}` : undefined;
}
