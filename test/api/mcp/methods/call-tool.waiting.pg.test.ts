// Answers of tools that a caller waits for: they are for credentials that still work.
import { expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createKey, createTestRecord } from '../../../support/rows/factories.ts';
import { callTool, ERAS, type Era } from '../caller.ts';

const api = useApi();

async function check(era: Era, isRevoked: boolean) {
  const source = await createTestRecord(api.db, api.accountId);
  const { id, value: key } = await createKey(api.db, api.accountId, 'full');
  api.workflows.onCheck = async (recordId) => {
    await commitRows(api.db, recordId, { a: '{"id":"a"}' });
    if (isRevoked) await api.db('apiKeys').where({ id }).update({ revokedAt: api.db.fn.now() });
  };
  return callTool(api, 'check_source', { source, waitSeconds: 1 }, { key, era });
}

it.each(ERAS)('regression: a key that is revoked during the check gets no answer to it: %s', async (era) => {
  const { isError, text, value } = await check(era, true);
  expect([isError, text.split(':')[0], value]).toEqual([true, 'unauthenticated', undefined]);
});

it.each(ERAS)('a key that still works gets it: %s', async (era) => {
  const { isError, value } = await check(era, false);
  expect([isError, value]).toEqual([false, expect.objectContaining({ outcome: null })]);
});
