// Logs in a program as a command line does: it asks for a key, a person allows it, and it collects and uses the key.
import type { CollectingCaller } from './collecting-caller.ts';

/** @param key of the person's account, with the scope full */
export async function logInProgram({ call }: CollectingCaller, key: string): Promise<void> {
  const asProgram = (path: string, body: object, shows: string[]) =>
    call('POST', path, { key: null, body, shows });
  const { body } = await asProgram('/v1/key-requests', { machine: 'canary' }, ['deviceSecret']);
  const { deviceSecret, userCode } = body;
  await call('GET', `/v1/key-requests?userCode=${userCode}`, { key });
  await call('POST', '/v1/key-requests/answer', { key, body: { userCode, answer: 'allow', scope: 'full' } });
  const collected = await asProgram('/v1/key-requests/collect', { deviceSecret }, ['key']);
  await call('GET', '/v1/usage', { key: collected.body.key });
}
