// Creates a program's request for an API key, as a row.
import { hashApiKey } from '../../../core/crypto/api-key.ts';
import { newDeviceSecret, newUserCode } from '../../../core/crypto/key-request-codes.ts';
import { insertKeyRequest } from '../../../db/access/key-requests.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { newTestId } from './factories.ts';

export async function makeKeyRequest(db: Database): Promise<{ userCode: string; deviceSecret: string }> {
  const deviceSecret = newDeviceSecret();
  const userCode = newUserCode();
  await insertKeyRequest(db, {
    id: newTestId('keyRequest'),
    secretHash: hashApiKey(deviceSecret),
    userCode,
    machine: 'laptop',
    address: '192.0.2.1',
    // Longer than any test runs.
    lengthSeconds: 86_400,
  });
  return { userCode, deviceSecret };
}
