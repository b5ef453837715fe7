// Places for work: how many at once, whose turn comes, and that whoever comes next finds one.
import { describe, expect, it } from 'vitest';
import { createPlaces, type Places } from '../../activities/places.ts';

const NEVER = new AbortController().signal;

/** Begins work that ends when it is told to. */
function begin(places: Places, key: string, log: string[], name = key, signal = NEVER) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = places.run(key, signal, () => {
    log.push(name);
    return promise;
  });
  return { end: resolve, done };
}

/** Until all that can begin has begun. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('places', () => {
  it('are never all taken by one key', async () => {
    const places = createPlaces(8);
    const log: string[] = [];
    for (let i = 0; i < 100; i += 1) begin(places, 'greedy', log);
    await settled();
    expect(log).toHaveLength(4);
    expect(places.waiting('greedy')).toBe(96);
    begin(places, 'modest', log);
    await settled();
    expect(log.at(-1)).toBe('modest');
  });

  it('are there for whoever comes next, however many came before', async () => {
    const places = createPlaces(400);
    for (let account = 0; account < 8; account += 1) {
      const log: string[] = [];
      for (let i = 0; i < 1_000; i += 1) begin(places, `account ${account}`, log);
      await settled();
      expect(log.length).toBeGreaterThan(0);
    }
  });

  it('are given in turns of the keys, not in the order of asking', async () => {
    const places = createPlaces(1);
    const log: string[] = [];
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
    const all = names.map((name) => begin(places, name.charAt(0), log, name));
    for (const one of all) one.end();
    await Promise.all(all.map(({ done }) => done));
    expect(log).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('are given back by work that fails', async () => {
    const places = createPlaces(1);
    await expect(places.run('a', NEVER, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(places.run('a', NEVER, () => Promise.resolve('yes'))).resolves.toBe('yes');
  });

  it('are not waited for any longer than the signal says', async () => {
    const places = createPlaces(1);
    const log: string[] = [];
    const first = begin(places, 'a', log);
    const controller = new AbortController();
    const second = begin(places, 'b', log, 'b', controller.signal);
    controller.abort(new Error('given up'));
    await expect(second.done).rejects.toThrow('given up');
    expect(places.waiting('b')).toBe(0);
    first.end();
    await first.done;
    await expect(places.run('c', controller.signal, () => Promise.resolve())).rejects.toThrow('given up');
    await expect(places.run('c', NEVER, () => Promise.resolve('yes'))).resolves.toBe('yes');
  });
});
