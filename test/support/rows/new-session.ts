// Creates anonymous sessions with all their parts.
import { mintApiKey } from '../../../core/crypto/api-key.ts';
import { createDataKey } from '../../../core/crypto/envelope.ts';
import { insertSession, type NewSession } from '../../../db/access/ephemeral-sessions.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { commitRows, newTestId, testKeys } from './factories.ts';

interface SessionOptions {
  url?: string;
  lengthSeconds?: number;
  tokenHash?: Buffer;
}

/** The values of a new session. Its token is unknown unless the hash is given. */
export function newSession({
  url = 'https://example.com/prices.csv',
  lengthSeconds = 86_400,
  tokenHash = mintApiKey('ephemeral').hash,
}: SessionOptions = {}): NewSession {
  const accountId = newTestId('account');
  return {
    id: newTestId('session'),
    tokenHash,
    account: {
      id: accountId,
      name: 'Anonymous session',
      wrappedDataKey: createDataKey(testKeys, accountId).wrapped,
    },
    record: {
      id: newTestId('record'),
      accountId,
      slug: 'prices',
      name: 'Prices',
      url,
      tier: 'anonymous',
      format: null,
      delimiter: null,
      rowsPath: null,
      keyFields: null,
      ignoreFields: [],
      checkIntervalSeconds: 3_600,
    },
    credentials: null,
    lengthSeconds,
  };
}

/** Creates a session whose record has one row. */
export async function makeSession(db: Database): Promise<{ token: string; recordId: string }> {
  const { value, hash } = mintApiKey('ephemeral');
  const url = `https://${newTestId('record').replace('_', '-')}.example/prices.csv`;
  const session = newSession({ url, tokenHash: hash });
  await db.transaction((trx) => insertSession(trx, session));
  const recordId = session.record.id;
  await commitRows(db, recordId, { a: '{"id":"a","price":"1"}' });
  return { token: value, recordId };
}
