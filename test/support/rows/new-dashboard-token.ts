// Creates a signed-in user of an account, and the token with which their pages call the API.
import { randomBytes } from 'node:crypto';
import { addUser } from '../../../api/auth/new-user.ts';
import { mintApiKey } from '../../../core/crypto/api-key.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { insertDashboardToken } from '../../../db/access/login-sessions.ts';
import { newEmail } from '../api/browser.ts';
import { newTestId } from './factories.ts';

export async function newDashboardToken(
  db: Database,
  accountId: string,
): Promise<{ token: string; sessionId: string; userId: string }> {
  const { id: userId } = await addUser(db, { accountId, email: newEmail(), name: 'Ada' });
  const sessionId = newTestId('loginSession');
  await db('loginSessions').insert({
    id: sessionId,
    userId,
    tokenHash: randomBytes(32),
    expiresAt: new Date(Date.now() + 3_600_000),
    address: '127.0.0.1',
    userAgent: '',
  });
  const { value: token, hash } = mintApiKey('dashboard');
  await insertDashboardToken(db, { hash, sessionId, lengthSeconds: 3_600 });
  return { token, sessionId, userId };
}
