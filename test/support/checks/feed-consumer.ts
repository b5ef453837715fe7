// Runs a consumer of an account's feed (consume-feed.ts), kills it now and then, and holds what it got to the checks on record.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { rawRows } from '../../../db/driver/knex.ts';
import type { System } from '../servers/system.ts';
import { until } from '../until.ts';
import { ALL_CHECKS, type CheckLine } from './expect-truth.ts';

export interface ConsumedEvent {
  type: string;
  sourceId: string;
  deltaEventId: string | null;
  checkId: string | null;
}

export interface JournalLine {
  place: string;
  /** Null when only the place has moved. */
  event: ConsumedEvent | null;
}

export interface FeedConsumer {
  /** Kills the process, and starts it again. */
  restart: () => Promise<void>;
  restarts: () => number;
  /** Waits until it has read everything. @returns the events that it got, in its order */
  finish: () => Promise<ConsumedEvent[]>;
  stop: () => Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('consume-feed.ts', import.meta.url));

/** @param url of the API, which stays the same when the API is started again */
export function startFeedConsumer(system: System, url: string): FeedConsumer {
  const journal = join(system.home, 'consumed.jsonl');
  writeFileSync(journal, '');
  const start = (): ChildProcess =>
    spawn(process.execPath, [PROGRAM], {
      env: {
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        FEED_URL: url,
        API_KEY: system.apiKey,
        JOURNAL: journal,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  let child = start();
  let restarts = 0;
  const stop = async (): Promise<void> => {
    // An error that it cannot pass, such as a cursor that ended.
    expect(child.exitCode, 'the exit code of the running consumer').toBeNull();
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const read = (): JournalLine[] =>
    readFileSync(journal, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as JournalLine);
  const hasAll = async (): Promise<boolean> => {
    const place = read().at(-1)?.place;
    const since = place === undefined ? '' : `&since=${place}`;
    const { status, body, text } = await system.call('GET', `/v1/events?limit=1${since}`);
    expect([status, text]).toEqual([200, text]);
    return (body['events'] as unknown[]).length === 0 && body['hasMore'] === false;
  };
  return {
    restart: async () => {
      await stop();
      child = start();
      restarts += 1;
    },
    restarts: () => restarts,
    finish: async () => {
      await until('the consumer has read everything', hasAll, { everyMs: 1_000 });
      await stop();
      return read().flatMap(({ event }) => event ?? []);
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) await stop();
    },
  };
}

/**
 * I11: a consumer of the feed got each event of these records once and in its order, and no other: the changes, the first of
 * several failed checks, the recovery, and the first of several held checks.
 */
export async function expectWholeFeed(
  { database }: Pick<System, 'database'>,
  consumed: readonly ConsumedEvent[],
  recordIds: readonly string[],
): Promise<void> {
  const bySource = Map.groupBy(consumed, ({ sourceId }) => sourceId);
  for (const id of recordIds) {
    const checks = await rawRows<CheckLine>(database.db, ALL_CHECKS, { id });
    const got = bySource.get(id) ?? [];
    expect(got.map(({ type, deltaEventId, checkId }) => `${type} ${deltaEventId ?? checkId}`)).toEqual(
      eventsOwed(checks),
    );
  }
  expect([...bySource.keys()].filter((id) => !recordIds.includes(id))).toEqual([]);
}

/** @param checks of a record, all of them, in their order */
function eventsOwed(checks: readonly CheckLine[]): string[] {
  const owed: string[] = [];
  let isFailing = false;
  let isHeld = false;
  for (const { id, outcome, deltaEventId } of checks) {
    if (outcome === 'failed') {
      if (!isFailing) owed.push(`check.failed ${id}`);
      isFailing = true;
    } else if (outcome === 'held') {
      if (!isHeld) owed.push(`check.held ${id}`);
      isHeld = true;
    } else {
      if (outcome === 'changed') owed.push(`delta ${deltaEventId}`);
      if (isFailing) owed.push(`check.recovered ${id}`);
      isFailing = false;
      isHeld = false;
    }
  }
  return owed;
}
