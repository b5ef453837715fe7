// What operators can search for in the Temporal UI. The worker registers these at its start.
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { RecordAttributes } from './contract.ts';

const recordStatus = defineSearchAttributeKey('RecordStatus', SearchAttributeType.KEYWORD);
const accountId = defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD);
const recordSlug = defineSearchAttributeKey('RecordSlug', SearchAttributeType.KEYWORD);
const originHost = defineSearchAttributeKey('OriginHost', SearchAttributeType.KEYWORD);
const errorCode = defineSearchAttributeKey('ErrorCode', SearchAttributeType.KEYWORD);
const consecutiveFailures = defineSearchAttributeKey('ConsecutiveFailures', SearchAttributeType.INT);

export const SEARCH_ATTRIBUTES = [
  recordStatus,
  accountId,
  recordSlug,
  originHost,
  consecutiveFailures,
  errorCode,
] as const;

/** The updates that bring one set of attributes to another; empty when they are the same. */
export function attributeUpdates(
  before: RecordAttributes | null,
  now: RecordAttributes,
): SearchAttributeUpdatePair[] {
  const updates: [keyof RecordAttributes, SearchAttributeUpdatePair][] = [
    ['status', { key: recordStatus, value: now.status }],
    ['accountId', { key: accountId, value: now.accountId }],
    ['slug', { key: recordSlug, value: now.slug }],
    ['originHost', { key: originHost, value: now.originHost }],
    ['consecutiveFailures', { key: consecutiveFailures, value: now.consecutiveFailures }],
    ['errorCode', { key: errorCode, value: now.errorCode ?? null }],
  ];
  // A code that is missing is none.
  const valueOf = (attributes: RecordAttributes | null, name: keyof RecordAttributes) =>
    attributes?.[name] ?? null;
  return updates.filter(([name]) => valueOf(before, name) !== valueOf(now, name)).map(([, update]) => update);
}
