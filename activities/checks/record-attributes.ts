// The search attributes of a record's workflow, by which operators find it.
import { hash } from 'node:crypto';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { RecordAttributes } from '../../workflows/contract.ts';
import { fairnessKeyOf } from './check-deps.ts';

export function attributesOf(
  record: Pick<
    TrackedRecord,
    'status' | 'accountId' | 'slug' | 'url' | 'consecutiveFailures' | 'lastErrorCode' | 'tier'
  >,
): RecordAttributes {
  const { accountId, slug, consecutiveFailures, lastErrorCode: errorCode } = record;
  const status = record.status === 'active' && consecutiveFailures > 0 ? 'failing' : record.status;
  const originHost = new URL(record.url).host;
  return {
    status,
    accountId,
    slug,
    consecutiveFailures,
    errorCode,
    originHost,
    share: fairnessHashOf(record),
  };
}

/** A hash, because Temporal keeps the key unsealed. */
const fairnessHashOf = (record: Pick<TrackedRecord, 'tier' | 'accountId'>): string =>
  hash('sha256', fairnessKeyOf(record), 'base64url');
