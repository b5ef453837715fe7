// `records pause`, `check` and `delete` at a service whose texts command a terminal.
import { expect, it } from 'vitest';
import { runInProcess } from '../../../support/servers/run-in-process.ts';
import { ESCAPED, HOSTILE, startHostileService } from '../hostile-service.ts';

const RECORD = { id: 'src_1', slug: HOSTILE, name: 'Prices', status: 'paused', heldCheckId: null };
const CHECK = { id: 'chk_1', number: 1, outcome: 'changed', isBaseline: false, rows: 1, deltaEventId: HOSTILE, error: null }; // prettier-ignore

it.each([
  [['records', 'pause', 'prices'], `${ESCAPED}: paused\n`],
  [['records', 'check', 'prices'], `Check 1: changed (${ESCAPED})\n`],
  [['records', 'delete', 'prices', '--yes'], `Deleted ${ESCAPED}.\n`],
])('regression: %j prints no such text', async (args, stdout) => {
  const env = await startHostileService({
    '/pause': [RECORD],
    '/checks': [CHECK],
    '/check': [CHECK],
    '/prices': [RECORD],
    '/src_1': [RECORD],
  });
  expect(await runInProcess(args, env)).toEqual({ code: 0, stdout, stderr: '' });
});
