// Search attributes of record workflows, for operators in the Temporal UI. The worker registers them at its start.
import {
  defineSearchAttributeKey,
  SearchAttributeType,
  type SearchAttributeUpdatePair,
} from '@temporalio/common';
import type { RecordAttributes } from './contract.ts';
import { patched, upsertSearchAttributes } from '@temporalio/workflow';

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

/** The attributes that changed. */
function attributeUpdates(
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
  // A missing code means none.
  const valueOf = (attributes: RecordAttributes | null, name: keyof RecordAttributes) =>
    attributes?.[name] ?? null;
  return updates.filter(([name]) => valueOf(before, name) !== valueOf(now, name)).map(([, update]) => update);
}

/**
 * Upserts the attributes that changed. Each upsert is an event and a write to the visibility store.
 * @returns the attributes that are published now
 */
export function publishAttributes(
  before: RecordAttributes | null,
  now: RecordAttributes | null,
): RecordAttributes | null {
  if (now === null) return before;
  const errorCode = before?.errorCode ?? null;
  const isNewCode = errorCode !== (now.errorCode ?? null);
  // During an upgrade, a worker of the previous version may have got these attributes and ignored the code.
  const attributes = isNewCode && !patched('error-code-attribute') ? { ...now, errorCode } : now;
  const updates = attributeUpdates(before, attributes);
  if (updates.length > 0) upsertSearchAttributes(updates);
  return attributes;
}
