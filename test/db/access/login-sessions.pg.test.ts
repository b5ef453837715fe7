// Sessions, tokens and links are stored only while they are valid.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLink } from '../../../api/auth/links.ts';
import { addUser } from '../../../api/auth/new-user.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { insertDashboardToken, pruneLogins } from '../../../db/access/login-sessions.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { makeAccount } from '../factories.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

it('deletes expired sessions with their tokens, and expired links, in bounded steps', async () => {
  const accountId = await makeAccount(db);
  const user = await addUser(db, { accountId, email: 'ada@example.com', name: 'Ada' });
  const insertSession = async (id: string, expiresAt: string): Promise<void> => {
    const tokenHash = Buffer.from(id);
    await db('loginSessions').insert({
      id,
      userId: user.id,
      tokenHash,
      expiresAt: 'infinity',
      address: '',
      userAgent: '',
    });
    await insertDashboardToken(db, { hash: tokenHash, sessionId: id, lengthSeconds: 600 });
    await db('loginSessions').where({ id }).update({ expiresAt });
  };
  for (const id of ['over 1', 'over 2', 'over 3']) await insertSession(id, '2026-01-01');
  await insertSession('lasting', 'infinity');
  await createLink(db, { kind: 'sign-up', email: 'eve@example.com' });
  await db('verifications').update({ expiresAt: '2026-01-01' });
  await createLink(db, { kind: 'sign-in', userId: user.id });
  const deleted: number[] = [];
  for (let i = 0; i < 3; i += 1) deleted.push(await pruneLogins(db, 2));
  expect(deleted).toEqual([3, 1, 0]);
  expect(await db('loginSessions').pluck('id')).toEqual(['lasting']);
  expect(await db('dashboardTokens').select('sessionId')).toEqual([{ sessionId: 'lasting' }]);
  expect(await db('verifications').pluck('value')).toEqual([
    JSON.stringify({ kind: 'sign-in', userId: user.id }),
  ]);
});
