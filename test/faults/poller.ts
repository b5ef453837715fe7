// A client that polls for the events of a record with `since`, as docs/guide.md says, and keeps every event that it was given.
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Subject } from '../support/checks/changing-records.ts';
import { readAll } from '../support/servers/system.ts';

export interface Poller {
  /** How often the API did not answer, or with 5xx. */
  failures: () => number;
  /** Stops, reads the rest, and expects every event of the record once and in its order. @returns how many */
  expectAll: () => Promise<number>;
}

const EVERY_MS = 500;

export function startPoller(system: Subject, id: string): Poller {
  const events: string[] = [];
  let failures = 0;
  const over = new AbortController();
  const poll = async (): Promise<number> => {
    const since = events.at(-1);
    const path = `/v1/sources/${id}/delta?order=asc&limit=50${since === undefined ? '' : `&since=${since}`}`;
    const answer = await system.call('GET', path).catch(() => undefined);
    if (answer === undefined || answer.status >= 500) {
      failures += 1;
      return 0;
    }
    // Any other refusal is false: the record and the event exist.
    expect([answer.status, path, answer.text]).toEqual([200, path, answer.text]);
    const found = answer.body['events'] as { id: string }[];
    events.push(...found.map((event) => event.id));
    return found.length;
  };
  const run = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await poll();
      await pause(EVERY_MS);
    }
  };
  const running = run();
  // It is reported where it is waited for.
  running.catch(() => undefined);
  return {
    failures: () => failures,
    expectAll: async () => {
      over.abort();
      await running;
      while ((await poll()) > 0);
      const all = await readAll<{ id: string }>(
        system,
        `/v1/sources/${id}/delta?order=asc&limit=200`,
        'events',
      );
      expect(events).toEqual(all.map((event) => event.id));
      return events.length;
    },
  };
}
