// The output after the ready screen: each change once, in order, with the outcome of its delivery.
import { expect, test } from 'vitest';
import { changeLine, followChanges, type FoundChange } from '../../../cli/start/follow-changes.ts';
import type { Arrival } from '../../../demo/receiver.ts';

const change = (number: number, detectedAt = new Date()): FoundChange => ({
  id: `evt_${number}`,
  number,
  detectedAt: detectedAt.toISOString(),
  newCount: 1,
  changedCount: 2,
  deletedCount: 3,
  unchangedCount: 4,
});

const arrivalOf = ({ id, detectedAt }: FoundChange): Arrival => ({
  receivedAt: new Date(Date.parse(detectedAt) + 42),
  webhookId: 'dlv_1',
  isVerified: true,
  payload: { deltaEventId: id },
});

/** An API that lists these changes and stops the run when all were listed again. */
function listing(changes: FoundChange[], abort: AbortController) {
  let rounds = 0;
  return {
    call: (_: string, path: string) => {
      if (path.includes('limit=1') && !path.includes('changesOnly'))
        return Promise.resolve({ events: [change(0)] });
      rounds += 1;
      if (rounds === 4) abort.abort();
      const since = /since=(\w+)/.exec(path)?.[1];
      const index = changes.findIndex(({ id }) => id === since);
      return rounds === 2
        ? Promise.reject(new Error('503'))
        : Promise.resolve({ events: changes.slice(index + 1) });
    },
  };
}

async function follow(changes: FoundChange[], arrivals: Arrival[]): Promise<string[]> {
  const lines: string[] = [];
  const abort = new AbortController();
  const api = listing(changes, abort);
  const print = (line: string) => void lines.push(line);
  await followChanges({
    api,
    sourceId: 'src_1',
    receiver: { arrivals },
    print,
    signal: abort.signal,
    intervalMs: 1,
  });
  return lines;
}

test('prints each change once, in order, even if a call fails in between', async () => {
  const changes = [change(1), change(2)];
  const lines = await follow(changes, changes.map(arrivalOf));
  expect(lines.map((line) => /check \d/.exec(line)?.[0])).toEqual(['check 1', 'check 2']);
  expect(lines[0]).toMatch(
    /1 new, 2 changed, 3 deleted, 4 unchanged · webhook delivered, signature valid, 42 ms after$/,
  );
});

test('waits for the webhook of a recent change, and not for that of an old one', async () => {
  expect(await follow([change(1)], [])).toEqual([]);
  const lines = await follow([change(1, new Date(Date.now() - 60_000)), change(2)], []);
  expect(lines.length).toBe(1);
  expect(lines[0]).toContain('webhook has not arrived within 10 s');
});

test('reports a bad signature', () => {
  const { payload: _, ...arrival } = arrivalOf(change(1));
  expect(changeLine(change(1), { ...arrival, isVerified: false, reason: 'x' })).toContain('bad signature');
});
