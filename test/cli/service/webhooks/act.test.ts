// `webhooks test` at a service whose texts command a terminal.
import { expect, it } from 'vitest';
import { runInProcess } from '../../../support/servers/run-in-process.ts';
import { ESCAPED, HOSTILE, startHostileService } from '../hostile-service.ts';

it('regression: prints no such text', async () => {
  const attempts = [{ errorCode: HOSTILE, statusCode: null, durationMs: 7 }];
  const env = await startHostileService({ '/test': [{ id: 'dlv_1', status: HOSTILE, attempts }] });
  expect(await runInProcess(['webhooks', 'test', 'prices', 'wh_1'], env)).toEqual({
    code: 0,
    stdout: `dlv_1 ${ESCAPED}: ${ESCAPED}, 7 ms\n`,
    stderr: '',
  });
});
