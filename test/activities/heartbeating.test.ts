// Heartbeats continue while work makes progress, and stop when it makes none.
import { asyncLocalStorage, Context } from '@temporalio/activity';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heartbeating, recordHeartbeatDetails, StuckError } from '../../activities/heartbeating.ts';
import { noteProgress, waiting } from '../../db/driver/pulse.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let beats = 0;
let lastDetails: unknown;

/** Runs work as an activity does. */
function asActivity<T>(work: () => Promise<T>): Promise<T> {
  beats = 0;
  const unused = undefined as never;
  const info = {} as Context['info'];
  const beat = (details?: unknown): void => {
    beats += 1;
    lastDetails = details;
  };
  const context = new Context(info, unused, new AbortController().signal, beat, unused, unused, unused, {});
  return asyncLocalStorage.run(context, work);
}

const never = () => new Promise<never>(() => undefined);
const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

describe('an activity', () => {
  it('regression: without progress ends within two minutes, and its heartbeats before that', async () => {
    const failure = asActivity(() => heartbeating(never)).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(beats).toBe(12);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await failure).toBeInstanceOf(StuckError);
    expect(beats).toBeLessThan(20);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(beats).toBeLessThan(20);
  });

  it('repeats its details with every heartbeat, because the server keeps the last details only', async () => {
    const result = asActivity(async () => {
      recordHeartbeatDetails({ tries: 3 });
      await heartbeating(() => sleep(60_000));
      await heartbeating(() => sleep(60_000));
    });
    await vi.advanceTimersByTimeAsync(100_000);
    expect(beats).toBeGreaterThan(15);
    expect(lastDetails).toEqual({ tries: 3 });
    await vi.advanceTimersByTimeAsync(100_000);
    await result;
  });

  it('with occasional progress continues', async () => {
    const work = async (): Promise<string> => {
      for (let i = 0; i < 20; i += 1) {
        await sleep(90_000);
        noteProgress();
      }
      return 'done';
    };
    const result = asActivity(() => heartbeating(work));
    await vi.advanceTimersByTimeAsync(20 * 90_000);
    expect(await result).toBe('done');
    expect(beats).toBe(20 * 18);
  });

  it('that waits for something bounded continues, and has its full time afterwards', async () => {
    const work = async (): Promise<void> => {
      await waiting(() => sleep(1_800_000));
      await never();
    };
    const failure = asActivity(() => heartbeating(work)).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_800_000 + 60_000);
    expect(beats).toBeGreaterThan(360);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await failure).toBeInstanceOf(StuckError);
  });

  it('with nested heartbeats is watched by the outer one', async () => {
    const work = async (): Promise<void> => {
      await heartbeating(async () => {
        for (let i = 0; i < 3; i += 1) {
          await sleep(90_000);
          noteProgress();
        }
      });
    };
    const result = asActivity(() => heartbeating(work));
    await vi.advanceTimersByTimeAsync(270_000);
    await result;
    expect(beats).toBe(54);
  });

  it('that its own work blocked does not count as stuck', async () => {
    const result = asActivity(() => heartbeating(() => sleep(200_000)));
    // A beat that is late by minutes, as after a busy event loop, counts once.
    vi.setSystemTime(Date.now() + 600_000);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(beats).toBe(10);
    result.catch(() => undefined);
  });
});
