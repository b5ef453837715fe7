// An ephemeral session for tests of the database, with all that it is made of.
import { mintApiKey } from '../../core/crypto/api-key.ts';
import type { NewSession } from '../../db/ephemeral-sessions.ts';
import { newTestId } from '../support/factories.ts';

export function newSession({
  url = 'https://example.com/prices.csv',
  lengthSeconds = 86_400,
} = {}): NewSession {
  const accountId = newTestId('account');
  return {
    id: newTestId('session'),
    tokenHash: mintApiKey('ephemeral').hash,
    account: { id: accountId, name: 'Anonymous session', wrappedDataKey: Buffer.alloc(1) },
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
