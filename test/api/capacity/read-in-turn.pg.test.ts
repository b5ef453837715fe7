// How the reads of a file stand in line with other searches.
import { expect, it } from 'vitest';
import { heavyRead } from '../../../api/capacity/heavy-read.ts';
import { readInTurn } from '../../../api/capacity/read-in-turn.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { until } from '../../support/until.ts';

const owner = { tier: 'free', accountId: 'acc_1' } as const;
const principal = { kind: 'account', accountId: owner.accountId } as const;
/** Lines are kept by pool; nothing here asks one for anything. */
const newPool = () => ({}) as Database;

/** Takes all turns and all places in line. @returns gives them back */
function fill(heavyDb: Database): () => Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const all = Array.from({ length: 8 }, () => heavyRead({ heavyDb, principal }, () => promise));
  return () => {
    resolve();
    return Promise.all(all);
  };
}

it('refuses the first read of a file when the line is full', async () => {
  const heavyDb = newPool();
  const empty = fill(heavyDb);
  const run = readInTurn({ heavyDb, signal: new AbortController().signal }, owner);
  await expect(run(async () => 1)).rejects.toMatchObject({ code: 'rate_limited' });
  await empty();
  expect(await run(async () => 1)).toBe(1);
});

it('has a file under way wait, unless the process is about to end', async () => {
  const heavyDb = newPool();
  const ending = new AbortController();
  const run = readInTurn({ heavyDb, signal: ending.signal }, owner);
  await run(async () => 1);
  const empty = fill(heavyDb);
  const isRead = { second: false };
  const second = run(async () => {
    isRead.second = true;
  });
  await expect(
    heavyRead({ heavyDb, principal }, async () => undefined),
    'the line is full',
  ).rejects.toMatchObject({ code: 'rate_limited' });
  expect(isRead.second).toBe(false);
  await empty();
  await until('it is read', () => isRead.second);
  await second;
  const again = fill(heavyDb);
  ending.abort();
  await expect(run(async () => 3)).rejects.toMatchObject({ code: 'rate_limited' });
  await again();
});

it('shares one line among the files of all sessions', async () => {
  const heavyDb = newPool();
  const gate = Promise.withResolvers<void>();
  const full = Array.from({ length: 8 }, (_, at) =>
    heavyRead({ heavyDb, principal: { kind: 'ephemeral', accountId: `acc_${at}` } }, () => gate.promise),
  );
  const run = readInTurn(
    { heavyDb, signal: new AbortController().signal },
    { tier: 'anonymous', accountId: 'x' },
  );
  await expect(run(async () => 1)).rejects.toMatchObject({ code: 'rate_limited' });
  gate.resolve();
  await Promise.all(full);
});
