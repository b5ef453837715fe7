// `key create`
import { MAX_WORKING_KEYS, newApiKey } from '../../api/keys/new-api-keys.ts';
import { presentApiKey } from '../../api/resources/api-key.ts';
import type { Scope } from '../../core/principal.ts';
import { issueApiKey } from '../../db/access/api-keys.ts';
import { auditOperator } from '../operator/audit.ts';
import { checkName, readExpiry } from '../operator/check-fields.ts';
import { misuse } from '../operator/fail.ts';
import { fields, print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';
import { findOwner } from './find-owner.ts';

export interface CreateKeyOptions extends Printing {
  name: string;
  scope: Scope;
  record?: string;
  expires?: string;
}

/** @throws CommanderError for a scope that no record key has; Error when there are too many keys */
export async function create(
  accountId: string,
  { name, scope, record, expires, ...printing }: CreateKeyOptions,
): Promise<void> {
  checkName('--name', name);
  const expiresAt = expires === undefined ? null : readExpiry(expires);
  if (record !== undefined && scope === 'full') {
    throw misuse('A key of one record has the scope read or download.');
  }
  const { issued, value } = await withDatabase(async (db) => {
    const owner = await findOwner(db, accountId, record);
    const made = newApiKey(owner, { name, scope, expiresAt }, Date.now());
    const atMost = MAX_WORKING_KEYS[made.key.kind];
    const issued = await db.transaction(async (trx) => {
      const key = await issueApiKey(trx, made.key, { creatorId: null, atMost });
      if (!('refused' in key)) await auditOperator(trx, { action: 'api_key.create', accountId, target: key });
      return key;
    });
    return { value: made.value, issued };
  });
  if ('refused' in issued)
    throw new Error(`No key was made (${issued.refused}): see key list, and revoke one.`);
  print(printing, { ...presentApiKey(issued), key: value }, () =>
    [
      fields({ Key: issued.id, Name: issued.name, Scope: issued.scope, 'API key': value }),
      '',
      'The key is shown this once. Send it as Authorization: Bearer <key>.',
    ].join('\n'),
  );
}
