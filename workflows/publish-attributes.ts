// Keeps the record's search attributes true. An upsert is an event and a write to the visibility store, so
// only what changed is sent.
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { RecordAttributes } from './contract.ts';
import { attributeUpdates } from './search-attributes.ts';

export function publishAttributes(before: RecordAttributes | null, now: RecordAttributes | null): void {
  if (now === null) return;
  const updates = attributeUpdates(before, now);
  if (updates.length > 0) upsertSearchAttributes(updates);
}
