// Checks on schedule as attempts of one activity, on a real database and a real origin. What Temporal does between two
// attempts, the test does: it keeps the last heartbeat and the delay that an attempt asked for.
import { getEventListeners } from 'node:events';
import { ApplicationFailure } from '@temporalio/activity';
import { ActivityCancellationDetails, CancelledFailure } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createActivities } from '../../../activities/create-activities.ts';
import { createOriginTurns } from '../../../activities/fetch/origin-turns.ts';
import { listChecks } from '../../../db/check-log.ts';
import { openDatabase } from '../../../db/driver/knex.ts';
import { setNextCheck, updateRecord } from '../../../db/records/records.ts';
import {
  type CommittedCheck,
  NOTHING_NEW,
  type PollInput,
  type PollResult,
} from '../../../workflows/contract.ts';
import { type ActivityBench, type Attempt, openActivityBench } from '../../support/checks/activity-bench.ts';
import { createGate } from '../../support/gate.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';
import { until } from '../../support/until.ts';

let bench: ActivityBench;
let origin: Origin;
let sink: WebhookSink;
let paths = 0;

beforeAll(async () => {
  bench = await openActivityBench();
  origin = await startOrigin();
  sink = await startSink();
});

afterAll(async () => {
  await sink.close();
  await origin.close();
  await bench.close();
});

/** The worker dies after the attempt's work, before its answer: the server has what was sent when the attempt began. */
const DIES = { dies: true };
/** How long Temporal waits for heartbeats, and then for the retry. */
const TAKEOVER_MS = 8_000;

/** A record with a poll, as its workflow and Temporal keep it between attempts. */
class Poll {
  readonly path = `/poll-${(paths += 1)}.csv`;
  readonly input: PollInput = { recordId: '', attributes: null };
  note: unknown;
  attempt = 0;
  beats = 0;
  /** How much later than now Temporal has planned the next attempt. */
  lateMs = 0;

  static async of(body: string, settings = {}): Promise<Poll> {
    const poll = new Poll();
    origin.set(poll.path, { body });
    poll.input.recordId = await bench.makeRecord({ url: origin.url + poll.path, ...settings });
    const { attributes } = await bench.check(poll.input.recordId);
    poll.input.attributes = attributes;
    return poll;
  }

  /** One attempt: what it returns, or the failure that says when to come back. */
  async run(
    { dies = false, ...options }: Partial<Attempt> & { dies?: boolean } = {},
    activities?: ReturnType<typeof createActivities>,
  ) {
    this.attempt += 1;
    const before = this.note;
    const attempt: Attempt = {
      attempt: this.attempt,
      scheduledAtMs: Date.now() + this.lateMs,
      heartbeatDetails: this.note,
      onHeartbeat: (details) => {
        this.beats += 1;
        if (!dies || this.note === before) this.note = details;
      },
      ...options,
    };
    this.lateMs = dies ? this.lateMs + TAKEOVER_MS : 0;
    return bench
      .run<PollResult>((own) => (activities ?? own).pollSource(this.input), attempt)
      .catch((error: unknown) => {
        if (error instanceof ApplicationFailure) return error;
        throw error;
      });
  }

  /** Stops the activity, as a signal does, and begins another one. */
  stop() {
    // Null when an attempt died without a note.
    const left = this.note ?? (this.lateMs > 0 ? null : undefined);
    if (left !== undefined) this.input.noteLeft = left;
    this.note = undefined;
    this.attempt = 0;
    this.lateMs = 0;
  }

  due = () => setNextCheck(bench.database.db, this.input.recordId, 0);
  checks = () => listChecks(bench.database.db, this.input.recordId, 'asc', { after: null, limit: 100 });
  requests = () => origin.requests.filter(({ path }) => path === this.path).length;
}

/** Leaves every body to another activity, as polls do with large ones. */
const fetchOnly = () => createActivities({ ...bench.deps, comparedAtOnceBytes: 0 });

const csv = (rows: number): string =>
  ['id,name', ...Array.from({ length: rows }, (_, i) => `${i},row ${i}`)].join('\n');

const nothingNew = (words: unknown) =>
  expect.objectContaining({ type: NOTHING_NEW, message: words, stack: '', category: 'BENIGN' });

describe('an attempt', () => {
  it('waits for the time of the next check without asking the origin', async () => {
    const poll = await Poll.of(csv(3));
    const asked = poll.requests();
    const failure = await poll.run();
    expect(failure).toEqual(
      nothingNew(expect.stringMatching(/^Last check: unchanged, 20.*Z\. Next check at 20.*Z\.$/)),
    );
    const delay = Number((failure as ApplicationFailure).nextRetryDelay);
    expect(delay).toBeGreaterThan(3_000_000);
    expect(poll.requests()).toBe(asked);
  });

  it('makes the check that is due, and fails with the time to the one after it', async () => {
    const poll = await Poll.of(csv(3));
    await poll.due();
    expect(await poll.run()).toEqual(nothingNew('Unchanged: 3 rows, status 200.'));
    expect(await poll.run()).toEqual(nothingNew(expect.anything()));
    expect((await poll.checks()).map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
  });

  it('regression: sends no heartbeat for a quick check, because each is a write in Temporal', async () => {
    const poll = await Poll.of(csv(3));
    for (let times = 0; times < 3; times += 1) {
      await poll.due();
      expect(await poll.run()).toEqual(nothingNew('Unchanged: 3 rows, status 200.'));
    }
    expect(poll.beats).toBe(0);
  });

  it('compares a small body itself, and returns the change', async () => {
    const poll = await Poll.of(csv(3));
    origin.set(poll.path, { body: csv(4) });
    await poll.due();
    expect(await poll.run()).toMatchObject({
      kind: 'committed',
      words: 'Changed: 1 new, 0 changed, 0 deleted, 4 rows in all.',
      isChange: true,
    });
    expect((await poll.checks()).map(({ outcome }) => outcome)).toEqual(['unchanged', 'changed']);
    expect(bench.bodies(poll.input.recordId)).toHaveLength(1);
  });

  it('has nothing to tell of other bytes with the same rows', async () => {
    const poll = await Poll.of(csv(3));
    origin.set(poll.path, { body: `${csv(3)}\n` });
    await poll.due();
    expect(await poll.run()).toEqual(nothingNew('Unchanged: 3 rows.'));
    expect((await poll.checks()).map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
  });

  it('that its workflow began before the check is due says so without asking anybody', async () => {
    const poll = await Poll.of(csv(3));
    poll.input.first = { inMs: 60_000, lastWords: 'Changed: something.' };
    const broken = createActivities({ ...bench.deps, db: undefined as never });
    expect(await poll.run({}, broken)).toMatchObject({
      type: NOTHING_NEW,
      message: expect.stringMatching(/^Changed: something\. Next check at 20/),
      nextRetryDelay: 60_000,
    });
    // The second attempt comes when the check is due.
    await poll.due();
    expect(await poll.run()).toEqual(nothingNew('Unchanged: 3 rows, status 200.'));
  });

  it('returns a large body that has to be compared, under the id that another attempt would give it', async () => {
    const poll = await Poll.of(csv(3));
    origin.set(poll.path, { body: csv(4) });
    await poll.due();
    const first = await poll.run(DIES, fetchOnly());
    const second = await poll.run({}, fetchOnly());
    expect(first).toMatchObject({ kind: 'fetched', checkId: expect.stringMatching(/^chk_/) });
    expect(second).toMatchObject({ checkId: (first as { checkId: string }).checkId });
  });

  it('returns a failure of the origin, and its end', async () => {
    const poll = await Poll.of(csv(3));
    origin.set(poll.path, { status: 500 });
    await poll.due();
    const failed = await poll.run();
    expect(failed).toMatchObject({ kind: 'committed', attributes: { status: 'failing' } });
    poll.input.attributes = (failed as { attributes: PollInput['attributes'] }).attributes;
    origin.set(poll.path, { body: csv(3) });
    await poll.due();
    expect(await poll.run()).toMatchObject({ attributes: { status: 'active', consecutiveFailures: 0 } });
  });

  it.each(['paused', 'deleted'] as const)('asks for the plan once the record is %s', async (state) => {
    const poll = await Poll.of(csv(3));
    const { db } = bench.database;
    const { recordId } = poll.input;
    if (state === 'paused') await updateRecord(db, recordId, { status: 'paused' });
    else await db('records').where({ id: recordId }).update({ deletedAt: db.fn.now() });
    expect(await poll.run()).toEqual({ kind: 'stale' });
  });

  it('asks for the plan while no time is planned', async () => {
    const poll = await Poll.of(csv(3));
    await bench.database
      .db('record_heads')
      .where({ recordId: poll.input.recordId })
      .update({ nextCheckAt: null });
    expect(await poll.run()).toEqual({ kind: 'stale' });
  });

  it('continues although a stored body could not be read again: otherwise it would stop all checks', async () => {
    const poll = await Poll.of(csv(3));
    await updateRecord(bench.database.db, poll.input.recordId, { keyFields: ['name'] });
    expect(await poll.run()).toEqual(nothingNew(expect.stringMatching(/Next check/)));
    await poll.due();
    expect(await poll.run()).toMatchObject({ kind: 'committed', isPlanStale: true });
    expect(await poll.checks()).toHaveLength(2);
  });

  it('has nothing to tell of a record that keeps failing, or is held, until its next check', async () => {
    const poll = await Poll.of(csv(30));
    for (const behaviour of [{ status: 500 }, { body: csv(3) }]) {
      origin.set(poll.path, behaviour);
      await poll.due();
      const told = await poll.run();
      if (told instanceof ApplicationFailure || told.kind !== 'committed')
        throw new Error('Nothing was told');
      poll.input.attributes = told.attributes;
      poll.note = undefined;
      // A held body is looked at again soon.
      await setNextCheck(bench.database.db, poll.input.recordId, 60_000);
      expect(await poll.run()).toEqual(nothingNew(expect.stringMatching(/Next check/)));
    }
    expect((await poll.checks()).map(({ outcome }) => outcome)).toEqual(['unchanged', 'failed', 'held']);
  });
});

describe('an attempt whose predecessor died', () => {
  it.each([
    ['', false],
    [', also when the next check is due', true],
  ])('after the commit: tells what was committed and is to be delivered%s', async (_when, isDue) => {
    const poll = await Poll.of(csv(3));
    const { recordId } = poll.input;
    const id = await bench.makeWebhook(recordId, sink.url);
    await bench.database
      .db('webhooks')
      .where({ id })
      .update({ eventTypes: ['check.failed'] });
    origin.set(poll.path, { status: 500 });
    await poll.due();
    await poll.run(DIES);
    // The next check may be due by now: the deliveries come first.
    if (isDue) await poll.due();
    const told = await poll.run();
    expect(told).toMatchObject({
      kind: 'committed',
      attributes: { status: 'failing', consecutiveFailures: 1 },
      deliver: { count: 1 },
    });
    expect(await poll.checks()).toHaveLength(2);
  });

  it('after the commit, and its poll was stopped: the next poll tells what is to be delivered, once', async () => {
    const poll = await Poll.of(csv(3));
    const { recordId } = poll.input;
    const id = await bench.makeWebhook(recordId, sink.url);
    await bench.database
      .db('webhooks')
      .where({ id })
      .update({ eventTypes: ['check.failed'] });
    origin.set(poll.path, { status: 500 });
    await poll.due();
    const silent = createActivities({ ...bench.deps, firstAttemptsWithinMs: 0 });
    await poll.run(DIES, silent);
    poll.stop();
    const told = await poll.run({}, silent);
    expect(told).toMatchObject({ kind: 'committed', deliver: { count: 1 } });
    poll.input.attributes = (told as { attributes: PollInput['attributes'] }).attributes;
    poll.input.told = (told as CommittedCheck).deliver?.checkId ?? '';
    poll.stop();
    delete poll.input.noteLeft;
    expect(await poll.run({}, silent)).toEqual(nothingNew(expect.stringMatching(/Next check/)));
  });

  it('when its next check is due: tells what is to be delivered, once', async () => {
    const poll = await Poll.of(csv(3));
    await bench.makeWebhook(poll.input.recordId, sink.url);
    origin.set(poll.path, { body: csv(4) });
    await poll.due();
    const silent = createActivities({ ...bench.deps, firstAttemptsWithinMs: 0 });
    await poll.run(DIES, silent);
    // With an interval of eight seconds, nothing about the attempt shows that it follows a death.
    poll.lateMs = 0;
    await poll.due();
    const told = await poll.run({}, silent);
    expect(told).toMatchObject({ kind: 'committed', deliver: { count: 1 } });
    // The workflow knows of them, although nobody has made the attempts yet.
    poll.input.told = (told as CommittedCheck).deliver?.checkId ?? '';
    expect(await poll.run({}, silent)).toEqual(nothingNew('Unchanged: 4 rows, status 200.'));
  });

  it('after the commit of a change: does not commit it again', async () => {
    const poll = await Poll.of(csv(3));
    origin.set(poll.path, { body: csv(4) });
    await poll.due();
    expect(await poll.run(DIES)).toMatchObject({ kind: 'committed', isChange: true });
    expect(await poll.run()).toEqual(nothingNew(expect.stringMatching(/Next check/)));
    expect((await poll.checks()).map(({ outcome }) => outcome)).toEqual(['unchanged', 'changed']);
  });

  it('after the commit of a recovery, its note lost: still tells of the other status', async () => {
    const poll = await Poll.of(csv(3));
    const { attributes } = poll.input;
    poll.input.attributes = attributes && { ...attributes, status: 'failing', consecutiveFailures: 2 };
    poll.note = undefined;
    expect(await poll.run()).toMatchObject({ attributes: { status: 'active', consecutiveFailures: 0 } });
  });

  it('again and again: the check counts as failed on our side, once', async () => {
    const poll = await Poll.of(csv(3));
    origin.set(poll.path, { body: csv(4) });
    await poll.due();
    for (let death = 0; death < 6; death += 1) {
      expect(await poll.run(DIES, fetchOnly())).toMatchObject({ kind: 'fetched' });
    }
    expect(await poll.run()).toMatchObject({ kind: 'committed', attributes: { status: 'failing' } });
    expect((await poll.checks()).map(({ errorCode }) => errorCode)).toEqual([null, 'internal']);
    await poll.due();
    expect(await poll.run()).toMatchObject({ kind: 'committed', isChange: true });
  });

  it('regression: again and again, although each time a signal stops its poll: the check counts as failed', async () => {
    const poll = await Poll.of(csv(3));
    origin.set(poll.path, { body: csv(4) });
    const stop = async () => {
      poll.stop();
      // The plan of an overdue check is a new one.
      await poll.due();
    };
    for (let death = 0; death < 6; death += 1) {
      await stop();
      expect(await poll.run(DIES, fetchOnly())).toMatchObject({ kind: 'fetched' });
    }
    await stop();
    expect(await poll.run()).toMatchObject({ kind: 'committed', attributes: { status: 'failing' } });
    expect((await poll.checks()).map(({ errorCode }) => errorCode)).toEqual([null, 'internal']);
    await stop();
    expect(await poll.run()).toMatchObject({ kind: 'committed', isChange: true });
  });
});

describe('an attempt that cannot continue', () => {
  it('comes back later and later while the database is unavailable, and loses no check', async () => {
    const poll = await Poll.of(csv(3));
    await poll.due();
    const db = openDatabase('postgres://nobody@127.0.0.1:1/away', { poolSize: 1 });
    onTestFinished(() => db.destroy());
    const broken = createActivities({ ...bench.deps, db });
    const delays = [];
    for (let times = 0; times < 6; times += 1) {
      const failure = await poll.run({}, broken);
      expect(failure).toMatchObject({
        nonRetryable: false,
        message: expect.stringContaining('ECONNREFUSED'),
      });
      delays.push((failure as ApplicationFailure).nextRetryDelay);
    }
    expect(delays).toEqual([1_000, 3_000, 9_000, 27_000, 60_000, 60_000]);
    expect(await poll.run()).toEqual(nothingNew(expect.stringMatching(/^Unchanged/)));
  });

  it('says why in words without the values of a statement', async () => {
    const poll = await Poll.of(csv(3));
    await poll.due();
    const { db } = bench.database;
    await db.raw('alter table checks rename to hidden_checks');
    const failure = await poll.run();
    await db.raw('alter table hidden_checks rename to checks');
    expect(failure).toMatchObject({ message: expect.stringMatching(/^DatabaseError \(42P01\)/), stack: '' });
    expect(await poll.run()).toEqual(nothingNew(expect.stringMatching(/^Unchanged/)));
    expect(await poll.checks()).toHaveLength(2);
  });

  describe('because others are at the origin', () => {
    const politely = () =>
      createActivities({ ...bench.deps, turns: createOriginTurns({ spacingMs: 3_600_000, atOnce: 1 }) });

    it('waits for its turn, is not counted for it, and may continue in another worker', async () => {
      const [poll, other] = [await Poll.of(csv(3)), await Poll.of(csv(3))];
      const polite = politely();
      await other.due();
      await poll.due();
      expect(await other.run({}, polite)).toEqual(nothingNew(expect.stringMatching(/^Unchanged/)));
      expect(await poll.run({}, polite)).toEqual(nothingNew(expect.stringContaining('turn')));
      expect(poll.note).toMatchObject({ tries: 0, hasWaited: true });
      expect(await poll.run({}, politely())).toEqual(nothingNew(expect.stringMatching(/^Unchanged/)));
    });

    it('keeps its turn when it is stopped and begins again, however often', async () => {
      const [poll, other] = [await Poll.of(csv(3)), await Poll.of(csv(3))];
      const polite = politely();
      await other.due();
      await poll.due();
      await other.run({}, polite);
      const delayOf = async () => {
        // As after a signal: another activity, and the check is due since now.
        poll.note = undefined;
        await poll.due();
        const failure = await poll.run({}, polite);
        expect(failure).toEqual(nothingNew(expect.stringContaining('turn')));
        return Number((failure as ApplicationFailure).nextRetryDelay);
      };
      const first = await delayOf();
      for (let times = 0; times < 5; times += 1) expect(await delayOf()).toBeLessThanOrEqual(first);
    });
  });

  it.each([
    ['says nothing of data that it has not seen', { body: csv(3) }, 'changed'],
    ['records no older data', { body: csv(5) }, 'changed'],
    ['regression: reports no older failure', { body: '', status: 500 }, 'changed'],
    ['regression: ends no newer failure', { body: csv(3) }, 'failed'],
  ])('because another worker went on with the next check: %s', async (_what, answer, newest) => {
    const poll = await Poll.of(csv(3));
    const gate = createGate();
    origin.set(poll.path, { ...answer, until: gate.wait() });
    await poll.due();
    const asked = poll.requests();
    const zombie = poll.run();
    await until('it asks the origin', () => poll.requests() > asked);
    origin.set(poll.path, { body: csv(4), status: newest === 'failed' ? 500 : 200 });
    poll.input.attributes = (await bench.check(poll.input.recordId)).attributes;
    gate.open();
    expect(await zombie).toMatchObject({ type: 'OvertakenError' });
    expect((await poll.checks()).map(({ outcome }) => outcome)).toEqual(['unchanged', newest]);
    expect(await poll.run()).toEqual(nothingNew(expect.stringMatching(/Next check/)));
  });
});

describe('an attempt that is told to end', () => {
  async function cancelled(details: Partial<ActivityCancellationDetails>, ending?: AbortSignal) {
    const poll = await Poll.of(csv(3));
    const gate = createGate();
    origin.set(poll.path, { body: csv(3), until: gate.wait() });
    await poll.due();
    const asked = poll.requests();
    const controller = new AbortController();
    const cancellation = { signal: controller.signal, details: new ActivityCancellationDetails(details) };
    const own = ending && createActivities({ ...bench.deps, ending });
    const running = poll.run({ cancellation }, own).catch((error: unknown) => error);
    await until('it asks the origin', () => poll.requests() > asked);
    controller.abort(new CancelledFailure('told'));
    return { poll, gate, running };
  }

  it('comes to the end of its check when the workflow has something else to do', async () => {
    const { gate, running, poll } = await cancelled({ cancelRequested: true });
    gate.open();
    expect(await running).toEqual(nothingNew(expect.stringMatching(/^Unchanged/)));
    expect(await poll.checks()).toHaveLength(2);
  });

  it('ends also when its worker stops after that', async () => {
    const ending = new AbortController();
    const { gate, running } = await cancelled({ cancelRequested: true }, ending.signal);
    ending.abort(new Error('the worker ends'));
    expect(await running).toMatchObject({ message: 'the worker ends' });
    gate.open();
  });

  it('regression: leaves nothing at the signal that lives as long as its worker', async () => {
    const poll = await Poll.of(csv(3));
    const ending = new AbortController();
    const own = createActivities({ ...bench.deps, ending: ending.signal });
    await poll.due();
    expect(await poll.run({}, own)).toEqual(nothingNew(expect.stringMatching(/^Unchanged/)));
    expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
    // Node keeps what depends on a signal, as AbortSignal.any makes it, under such a symbol.
    const kept = Object.getOwnPropertySymbols(ending.signal).map(String);
    expect(kept.filter((name) => /dependant/i.test(name))).toEqual([]);
  });

  it('ends at once when its worker stops, and another makes the same check', async () => {
    const { gate, running, poll } = await cancelled({ workerShutdown: true });
    expect(await running).toBeInstanceOf(CancelledFailure);
    gate.open();
    expect(await poll.checks()).toHaveLength(1);
    expect(await poll.run()).toEqual(nothingNew(expect.stringMatching(/^Unchanged/)));
  });
});
