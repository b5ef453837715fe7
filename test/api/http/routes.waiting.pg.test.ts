// Answers that a caller waits for, of an operation that this test declares: they are for credentials that still work.
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { defineOperation } from '../../../api/contract/operation.ts';
import { useApi } from '../../support/api/api.ts';
import { createKey } from '../../support/rows/factories.ts';

const RESULT = { is: 'news' };

/** Its result comes after the caller's key was revoked, if the body says so. */
const wait = defineOperation({
  name: 'wait',
  audit: null,
  tag: 'Records',
  scope: 'read',
  summary: 'Wait',
  mayWait: true,
  http: { method: 'POST', path: '/v1/wait' },
  body: { isRevoked: Type.Boolean() },
  output: Type.Object({ is: Type.String() }),
  async run({ db, principal: { credentialId: id } }, { isRevoked }) {
    if (isRevoked) await db('apiKeys').where({ id }).update({ revokedAt: db.fn.now() });
    return RESULT;
  },
});

const api = useApi({}, { operations: [wait] });

const ask = async (isRevoked: boolean) => {
  const { value: key } = await createKey(api.db, api.accountId, 'read');
  return api.call('POST', '/v1/wait', { key, body: { isRevoked }, headers: { prefer: 'wait=1' } });
};

it('regression: a key that is revoked during the wait gets no answer to it', async () => {
  const { status, body } = await ask(true);
  expect([status, body.code, body.is]).toEqual([401, 'unauthenticated', undefined]);
});

it('a key that still works gets it', async () => {
  expect(await ask(false)).toMatchObject({ status: 200, body: RESULT });
});
