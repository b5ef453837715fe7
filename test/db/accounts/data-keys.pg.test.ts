// Which data keys the key-encryption keys open, when two of them have one id.
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { checkKeys } from '../../../cli/doctor/database-checks.ts';
import { createDataKey, type KeyEncryptionKeys } from '../../../core/crypto/envelope.ts';
import { insertAccount } from '../../../db/accounts/accounts.ts';
import { closedDataKeys, countDataKeys, findClosedDataKeys } from '../../../db/accounts/data-keys.ts';
import { newTestId } from '../../support/rows/factories.ts';
import { createTestDatabase } from '../../support/servers/database.ts';

const newKeys = (): KeyEncryptionKeys => new Map([['k1', randomBytes(32)]]);

it('regression: finds every data key that another key of the same id has sealed', async () => {
  const database = await createTestDatabase();
  try {
    const { db } = database;
    const add = async (keks: KeyEncryptionKeys, atMs: number): Promise<void> => {
      const id = newTestId('account', atMs);
      await insertAccount(db, { id, name: 'Test', wrappedDataKey: createDataKey(keks, id).wrapped });
    };
    const [right, wrong] = [newKeys(), newKeys()];
    for (const at of [1, 2, 3]) await add(right, at);
    expect(await findClosedDataKeys(db, right)).toBeUndefined();
    // Somebody made the key anew, and a visitor came.
    await add(wrong, 4);
    expect(await findClosedDataKeys(db, right)).toContain('some data keys: 1 under k1.');
    expect(await findClosedDataKeys(db, wrong)).toContain('some data keys: 3 under k1.');
    expect(closedDataKeys(wrong, await countDataKeys(db))).toContain('some data keys: at least 1 under k1.');
    expect(await checkKeys(db, wrong)).toMatchObject({ level: 'problem' });
    // The right key is back: the samples open, but not those between them.
    await add(right, 5);
    expect(closedDataKeys(right, await countDataKeys(db))).toBeUndefined();
    expect(await checkKeys(db, right)).toMatchObject({ level: 'problem' });
  } finally {
    await database.drop();
  }
});
