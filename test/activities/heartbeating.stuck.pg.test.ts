// Activities whose disk hangs end within two minutes; activities that wait for a long statement continue. Only the heartbeat
// clock is controlled by the test.
import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createActivities } from '../../activities/create-activities.ts';
import { lookUp } from '../../db/driver/prepared.ts';
import { heartbeating, StuckError } from '../../activities/heartbeating.ts';
import { currentPulse } from '../../db/driver/pulse.ts';
import { setNextCheck } from '../../db/records/records.ts';
import { createGate } from '../support/gate.ts';
import { until } from '../support/until.ts';
import { useWatchedRecords } from '../support/checks/watched-records.ts';

const { bench, makeRecord } = useWatchedRecords();

const TWO_MINUTES_MS = 120_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** Replaces a body by a pipe without a writer. Reading it hangs, as on a disk that does not answer. */
function hang(recordId: string, sha256: string): string {
  const path = join(bench().deps.spoolDir, '..', 'blobs', recordId, sha256);
  renameSync(path, `${path}.kept`);
  execFileSync('mkfifo', [path]);
  return path;
}

/** Releases the hanging reads. */
const release = (path: string): void => void execFileSync('sh', ['-c', ': > "$0"', path]);

describe('regression: a comparison whose disk hangs', () => {
  it('ends within two minutes and frees its slot', async () => {
    const { id, serve } = await makeRecord('id,name\n1,Ann\n');
    serve('id,name\n1,Bob\n');
    const input = bench().newCheck(id);
    const { deps, run } = bench();
    // There is one slot to compare in.
    const config = { ...deps.config, databasePoolSize: 3 };
    const { fetchSource, recordDelta } = createActivities({ ...deps, config });
    const fetched = await run(() => fetchSource(input));
    if (fetched.kind !== 'fetched') throw new Error('Nothing was fetched');
    const path = hang(id, fetched.body.sha256);
    let outcome: unknown;
    const compare = () => run(() => recordDelta({ ...input, ...fetched }));
    void compare().catch((error: unknown) => {
      outcome = error;
    });
    await until('it is given up', async () => {
      await vi.advanceTimersByTimeAsync(1_000);
      return outcome !== undefined;
    });
    expect(outcome).toBeInstanceOf(StuckError);
    release(path);
    renameSync(`${path}.kept`, path);
    expect(await compare()).toMatchObject({ kind: 'committed' });
  });
});

describe('regression: a check on schedule whose blob store hangs', () => {
  it('ends within two minutes and frees its slot', async () => {
    const { id, serve } = await makeRecord('id,name\n1,Ann\n');
    const { deps, run, database } = bench();
    let isHanging = true;
    const blobs: typeof deps.blobs = {
      ...deps.blobs,
      open: (...body) => (isHanging ? new Promise<never>(() => undefined) : deps.blobs.open(...body)),
    };
    // There is one slot to compare in.
    const config = { ...deps.config, databasePoolSize: 3 };
    const { pollSource } = createActivities({ ...deps, blobs, config });
    const poll = () => run(() => pollSource({ recordId: id, attributes: null }));
    serve('id,name\n1,Bob\n');
    await setNextCheck(database.db, id, 0);
    let outcome: unknown;
    void poll().catch((error: unknown) => {
      outcome = error;
    });
    await until('it is given up', async () => {
      await vi.advanceTimersByTimeAsync(1_000);
      return outcome !== undefined;
    });
    expect(outcome).toBeInstanceOf(StuckError);
    isHanging = false;
    expect(await poll()).toMatchObject({ kind: 'committed', isChange: true });
  });
});

describe('a long statement', () => {
  const LONG = 'select pg_advisory_xact_lock(14)';

  it.each([
    ['by itself', () => bench().deps.db.raw(LONG)],
    ['in a transaction', () => bench().deps.db.transaction((trx) => trx.raw(LONG))],
  ])('is no ground to give up: %s', async (_where, work) => {
    const { db } = bench().deps;
    const [locked, gate] = [createGate(), createGate()];
    const holding = db.transaction(async (trx) => {
      await trx.raw(LONG);
      locked.open();
      await gate.wait();
    });
    await locked.wait();
    let isOver = false;
    const result = bench()
      .run(() => heartbeating(async () => void (await work())))
      .finally(() => {
        isOver = true;
      });
    await until('PostgreSQL executes it', async () => {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity where query = ? and wait_event = 'advisory'`,
        [LONG],
      );
      return rows.length > 0;
    });
    await vi.advanceTimersByTimeAsync(10 * TWO_MINUTES_MS);
    expect(isOver).toBe(false);
    gate.open();
    await Promise.all([result, holding]);
  });

  it('counts as ended after it failed', async () => {
    await bench().run(() =>
      heartbeating(async () => {
        await expect(bench().deps.db.raw('select 1 / 0')).rejects.toThrow('division by zero');
        expect(currentPulse()).toMatchObject({ waits: 0, hasMoved: true });
      }),
    );
  });

  it('regression: counts as ended when it was a prepared one', async () => {
    await bench().run(() =>
      heartbeating(async () => {
        await lookUp(bench().deps.db, 'select 1 as one', []);
        expect(currentPulse()).toMatchObject({ waits: 0 });
      }),
    );
  });
});
