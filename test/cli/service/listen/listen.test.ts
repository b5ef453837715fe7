// `listen` at a service whose texts command a terminal.
import { expect, it, onTestFinished } from 'vitest';
import { newCliUser, untilSaid } from '../cli-user.ts';
import { ESCAPED, HOSTILE, startHostileService } from '../hostile-service.ts';

it('regression: prints no such text', async () => {
  const event = { cursor: 'two', type: 'delta', timestamp: '2026-03-02T09:00:04.512Z', sourceId: 'src_1', sourceName: 'Prices', sourceSlug: HOSTILE, labels: {}, deltaEventId: HOSTILE }; // prettier-ignore
  const page = { events: [], hasMore: false, nextCursor: 'one' };
  const env = await startHostileService({
    '/events': [page, { ...page, events: [event], nextCursor: 'two' }],
  });
  const user = newCliUser(env);
  onTestFinished(() => user.leave());
  const listen = user.start('listen', '--forward-to', 'localhost:1/hook');
  await untilSaid(listen, 'no answer');
  expect(listen.stdout).toContain(`${ESCAPED} → no answer`);
  expect(listen.stdout).not.toContain('\u001b');
});
