// `rows` at a service whose texts command a terminal.
import { expect, it, onTestFinished } from 'vitest';
import { newCliUser } from '../cli-user.ts';
import { ESCAPED, HOSTILE, startHostileService } from '../hostile-service.ts';

it('regression: prints no such name of a column, and no such value', async () => {
  const row = { key: '1', data: { id: '1', [HOSTILE]: HOSTILE, last: 'x' } };
  const env = await startHostileService({
    '/latest': [{ id: 'snap_1', columns: ['id', HOSTILE, 'last'] }],
    '/rows': [{ rows: [row], hasMore: false, nextCursor: null }],
  });
  const user = newCliUser(env);
  onTestFinished(() => user.leave());
  expect(await user.runInTerminal(['rows', 'prices'])).toEqual({
    code: 0,
    stdout: `id  ${ESCAPED}  last\r\n1   ${ESCAPED}  x\r\n`,
    stderr: '',
  });
});
