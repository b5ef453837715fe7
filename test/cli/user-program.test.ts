// The exit code of a command that fails by itself, in commands whose 1 says that they found something.
import { expect, it } from 'vitest';
import { runInProcess } from '../support/servers/run-in-process.ts';

const AWAY = { DATABASE_URL: 'postgres://user@127.0.0.1:1/none' };

it.each([
  [['doctor'], { ...AWAY, KEY_ENCRYPTION_KEYS: 'nonsense' }],
  [['operator', 'doctor'], { ...AWAY, KEY_ENCRYPTION_KEYS: 'nonsense' }],
  [['backup', 'check'], AWAY],
  [['operator', 'backup', 'check', '--json'], AWAY],
  [['diff', 'missing.csv', 'missing.csv'], {}],
])('regression: %j that fails ends with 2', async (args, env) => {
  expect(await runInProcess(args, env)).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^recordwatch: /),
  });
});

it('other commands that fail end with 1', async () => {
  expect((await runInProcess(['account', 'list'], AWAY)).code).toBe(1);
});
