// Slow reads and filtered files share one queue for each account.
import { expect, it } from 'vitest';
import { createCapacity } from '../../../api/capacity/capacity.ts';
import { readFileSlowly, readSlowly } from '../../../api/capacity/slow-reads.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { until } from '../../support/until.ts';

const owner = { tier: 'free', accountId: 'acc_1' } as const;
const principal = { kind: 'account', accountId: owner.accountId } as const;
/** No test uses the pool. */
const newReader = () => ({ heavyDb: {} as Database, capacity: createCapacity() });

/** Fills the limit and the queue. @returns ends all of these reads */
function fill(reader: ReturnType<typeof newReader>): () => Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const all = Array.from({ length: 8 }, () => readSlowly({ ...reader, principal }, () => promise));
  return () => {
    resolve();
    return Promise.all(all);
  };
}

it('refuses the first read of a file when the queue is full', async () => {
  const reader = newReader();
  const empty = fill(reader);
  const run = readFileSlowly({ ...reader, signal: new AbortController().signal }, owner);
  await expect(run(async () => 1)).rejects.toMatchObject({ code: 'rate_limited' });
  await empty();
  expect(await run(async () => 1)).toBe(1);
});

it('lets a file in progress wait, unless the process is about to end', async () => {
  const reader = newReader();
  const ending = new AbortController();
  const run = readFileSlowly({ ...reader, signal: ending.signal }, owner);
  await run(async () => 1);
  const empty = fill(reader);
  const isRead = { second: false };
  const second = run(async () => {
    isRead.second = true;
  });
  await expect(
    readSlowly({ ...reader, principal }, async () => undefined),
    'the queue is full',
  ).rejects.toMatchObject({ code: 'rate_limited' });
  expect(isRead.second).toBe(false);
  await empty();
  await until('it is read', () => isRead.second);
  await second;
  const again = fill(reader);
  const third = run(async () => 3);
  ending.abort(new Error('the process ends'));
  await expect(third).rejects.toThrow('the process ends');
  await again();
});

it('shares one queue among the files of all sessions', async () => {
  const reader = newReader();
  const gate = Promise.withResolvers<void>();
  const full = Array.from({ length: 8 }, (_, at) =>
    readSlowly({ ...reader, principal: { kind: 'ephemeral', accountId: `acc_${at}` } }, () => gate.promise),
  );
  const run = readFileSlowly(
    { ...reader, signal: new AbortController().signal },
    { tier: 'anonymous', accountId: 'x' },
  );
  await expect(run(async () => 1)).rejects.toMatchObject({ code: 'rate_limited' });
  gate.resolve();
  await Promise.all(full);
});
