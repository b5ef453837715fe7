// Keeps the record's search attributes true. An upsert is an event and a write to the visibility store, so
// only what changed is sent.
import { patched, upsertSearchAttributes } from '@temporalio/workflow';
import type { RecordAttributes } from './contract.ts';
import { attributeUpdates } from './search-attributes.ts';

/** @returns the attributes as they are published now */
export function publishAttributes(
  before: RecordAttributes | null,
  now: RecordAttributes | null,
): RecordAttributes | null {
  if (now === null) return before;
  const errorCode = before?.errorCode ?? null;
  const isNewCode = errorCode !== (now.errorCode ?? null);
  // During an upgrade a worker of the version before may have got these attributes, and left the code alone.
  const attributes = isNewCode && !patched('error-code-attribute') ? { ...now, errorCode } : now;
  const updates = attributeUpdates(before, attributes);
  if (updates.length > 0) upsertSearchAttributes(updates);
  return attributes;
}
