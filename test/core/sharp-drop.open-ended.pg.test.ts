// Bodies with and without a line end at their end, in any order, through the real activities: a body that may be cut is recorded only
// once others confirm it, each hold ends, and no change is lost, invented or doubled.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isFewRows, isLike } from '../../core/sharp-drop.ts';
import { propertyRuns } from '../support/runner/property-runs.ts';
import { useWatchedRecords } from '../support/checks/watched-records.ts';

const { ageHeld, bench, decide, get, lastCheck, latest, makeRecord, rowsOf, settle } = useWatchedRecords();

const RECHECK_SECONDS = 600;
/** How many open-ended bodies come before the one that needs no other. */
const BODIES = 6;

beforeAll(() => {
  // Changes the object in place, because the activities hold a reference to it.
  const { config } = bench().deps;
  const { heldRecheckSeconds } = config;
  Object.assign(config, { heldRecheckSeconds: RECHECK_SECONDS });
  afterAll(() => void Object.assign(config, { heldRecheckSeconds }));
});

type Kind = 'whole' | 'open' | 'cut';
interface Body {
  kind: Kind;
  count: number;
  version: string;
}
interface Step {
  body: Body | 'the accepted one' | 'the same again';
  /** Whether it is requested late enough to confirm the one before. */
  isLater: boolean;
  decision: 'accepted' | 'rejected' | null;
}

const cellsOf = ({ kind, count, version }: Body): Map<string, string> =>
  new Map(
    Array.from({ length: count }, (_, at) => {
      const note = `note ${at} of version ${version}`;
      return [`${at}`, kind === 'cut' && at === count - 1 ? note.slice(0, 6) : note];
    }),
  );

function textOf(body: Body): string {
  const text = `id,note\n${[...cellsOf(body)].map((cells) => `${cells.join()}\n`).join('')}`;
  return body.kind === 'whole' ? text : text.trimEnd();
}

const rowsOfBody = (body: Body) =>
  Object.fromEntries([...cellsOf(body)].map(([id, note]) => [id, JSON.stringify({ id, note })]));

function changesOf(before: Body, now: Body) {
  const [then, later] = [cellsOf(before), cellsOf(now)];
  const both = [...later].filter(([id]) => then.has(id));
  const changedCount = both.filter(([id, note]) => then.get(id) !== note).length;
  return { newCount: later.size - both.length, changedCount, deletedCount: then.size - both.length };
}

/** What the test knows of the bodies that are held. */
interface Known {
  accepted: Body;
  held: { body: Body; atSeconds: number }[];
  rejected: number | null;
  seconds: number;
}

/** How many of the held bodies came long enough after each other. */
function spacedBodies({ held, rejected, seconds }: Known): number {
  const isEnding = ({ body }: Known['held'][number]) => body.kind === 'whole' || isLike(body.count, rejected);
  const run = held.slice(held.findLastIndex(isEnding) + 1);
  let [bodies, last] = [0, -Infinity];
  for (const { atSeconds } of run) {
    if (atSeconds - last < RECHECK_SECONDS) continue;
    bodies += 1;
    last = atSeconds;
  }
  return seconds - last < RECHECK_SECONDS ? bodies - 1 : bodies;
}

/** Whether another body surely says the same as this one, which may be cut. */
function hasTwin({ held, rejected, seconds, accepted }: Known, { count }: Body): boolean {
  const last = held.at(-1);
  const earlier = held.filter(({ atSeconds }) => seconds - atSeconds >= RECHECK_SECONDS);
  if (last === undefined || isLike(last.body.count, rejected)) return false;
  const isTwin = (other: Body): boolean =>
    other.kind !== 'whole' &&
    (count < accepted.count
      ? isLike(other.count, count) || other.count === count
      : other.count <= count * 1.1);
  return isTwin(last.body) && earlier.some(({ body }) => isTwin(body));
}

function expectHold(known: Known, body: Body, isHeld: boolean): void {
  const { accepted, rejected } = known;
  const isChanged = Object.values(changesOf(accepted, body)).some((count) => count > 0);
  const mayLoseEnd = isChanged && body.kind !== 'whole' && accepted.kind === 'whole';
  const rows = { before: accepted.count, now: body.count };
  if (!mayLoseEnd || isFewRows(rows)) return;
  if (!isHeld) expect(spacedBodies(known) >= BODIES || hasTwin(known, body)).toBe(true);
  else if (!isLike(body.count, rejected)) expect(spacedBodies(known)).toBeLessThan(BODIES);
}

async function expectRecorded(id: string, before: Body, now: Body): Promise<void> {
  expect(await rowsOf(id)).toEqual(rowsOfBody(now));
  expect(await latest(id)).toMatchObject(changesOf(before, now));
}

async function expectTruth(first: Body, steps: readonly Step[]): Promise<void> {
  const { id, serve } = await makeRecord(textOf(first), { keyFields: ['id'] });
  const known: Known = { accepted: first, held: [], rejected: null, seconds: 0 };
  const accept = async (body: Body) => {
    await expectRecorded(id, known.accepted, body);
    Object.assign(known, { accepted: body, held: [], rejected: null });
  };
  let body = first;
  for (const { body: given, isLater, decision } of steps) {
    if (given === 'the accepted one') body = known.accepted;
    else if (given !== 'the same again') body = given;
    if (isLater) await ageHeld(id, RECHECK_SECONDS + 1);
    known.seconds += isLater ? RECHECK_SECONDS + 1 : 0;
    serve(textOf(body), { closeDelimited: true });
    await bench().check(id);
    const isHeld = (await lastCheck(id))?.outcome === 'held';
    expectHold(known, body, isHeld);
    if (!isHeld) {
      await accept(body);
      continue;
    }
    expect(await rowsOf(id)).toEqual(rowsOfBody(known.accepted));
    known.held.push({ body, atSeconds: known.seconds });
    if (decision === null) continue;
    expect(await decide(id, decision)).toBe(true);
    if (decision === 'accepted') {
      await settle(id);
      await accept(body);
    } else Object.assign(known, { rejected: body.count, held: [] });
  }
  expect((await get(id)).heldCheckId === null).toBe(known.held.length === 0);
}

const body = (kind: fc.Arbitrary<Kind>, counts: fc.Arbitrary<number>): fc.Arbitrary<Body> =>
  fc.record({ kind, count: counts, version: fc.constantFrom('a', 'b') });
const open = body(
  fc.constantFrom<Kind>('open', 'cut'),
  fc.oneof(fc.integer({ min: 31, max: 58 }), fc.nat(70)),
);
const step = (
  bodies: fc.Arbitrary<Step['body']>,
  decision: fc.Arbitrary<Step['decision']>,
): fc.Arbitrary<Step> =>
  fc.record({
    body: bodies,
    isLater: fc.constantFrom(true, true, true, false),
    decision,
  });
const anyBody = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('the accepted one' as const, 'the same again' as const) },
  { weight: 1, arbitrary: body(fc.constant('whole'), fc.integer({ min: 1, max: 70 })) },
  { weight: 9, arbitrary: open },
);
/** Of them none confirms another, unless two have the same number of rows. */
const fewer = body(fc.constantFrom<Kind>('open', 'cut'), fc.integer({ min: 30, max: 59 }));
const rarely = fc.oneof(
  { weight: 12, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom('accepted' as const, 'rejected' as const) },
);
const steps = fc.oneof(
  fc.array(step(anyBody, rarely), { minLength: 4, maxLength: 20 }),
  fc.array(step(fewer, fc.constant(null)), { minLength: 8, maxLength: 20 }),
);

const RUNS = propertyRuns(30);

it('says nothing false, and ends each hold', { timeout: 3_600_000 }, async () => {
  const first = body(fc.constant('whole'), fc.constantFrom(60, 60, 12));
  await fc.assert(fc.asyncProperty(first, steps, expectTruth), RUNS);
});

it('regression: a table that has lost its last line end is recorded within an hour, whatever its rows', async () => {
  const { id, serve } = await makeRecord(textOf({ kind: 'whole', count: 30, version: 'a' }), {
    keyFields: ['id'],
  });
  const outcomes: (string | undefined)[] = [];
  for (const count of [29, 28, 27, 9, 26, 25, 24]) {
    serve(textOf({ kind: 'open', count, version: 'b' }), { closeDelimited: true });
    await bench().check(id);
    outcomes.push((await lastCheck(id))?.outcome);
    await ageHeld(id, RECHECK_SECONDS + 1);
  }
  expect(outcomes).toEqual([...Array.from({ length: BODIES }, () => 'held'), 'changed']);
  expect(await rowsOf(id)).toEqual(rowsOfBody({ kind: 'open', count: 24, version: 'b' }));
});

it('checks in quick succession count as one, and confirm nothing', async () => {
  const { id, serve } = await makeRecord(textOf({ kind: 'whole', count: 30, version: 'a' }), {
    keyFields: ['id'],
  });
  const hold = async (...counts: number[]) => {
    for (const count of counts) {
      serve(textOf({ kind: 'cut', count, version: 'a' }), { closeDelimited: true });
      await bench().check(id);
      expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
    }
  };
  await hold(29, 28, 27, 26, 25, 24, 23, 22, 22);
  await ageHeld(id, RECHECK_SECONDS + 1);
  await hold(21, 21, 20, 9, 9);
});
