// Bodies with and without a line end at their end, in any order, through the real activities: a body that may be cut is recorded only
// once others confirm it, each hold ends, and no change is lost, invented or doubled.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFewRows, isLike } from '../../core/sharp-drop.ts';
import { propertyRuns } from '../support/runner/property-runs.ts';
import { useWatchedRecords } from '../support/checks/watched-records.ts';

const { ageHeld, bench, decide, get, lastCheck, latest, makeRecord, patch, rowsOf, settle } =
  useWatchedRecords();

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

interface Seen {
  body: Body;
  atSeconds: number;
}

const isOther = (before: Body, now: Body): boolean =>
  Object.values(changesOf(before, now)).some((count) => count > 0);

/** What the test knows of the bodies. */
interface Known {
  accepted: Body;
  held: Seen[];
  /** All that are held or have the same rows, since a whole body or a change. */
  seen: Seen[];
  /** Whether the table ends in a line end, also if the last bodies do not. */
  endsInLineEnd: boolean;
  rejected: number | null;
  seconds: number;
}

/** How many of the bodies came long enough after each other. */
function spacedBodies({ rejected, seconds }: Known, held: readonly Seen[]): number {
  const isEnding = ({ body }: Seen) => body.kind === 'whole' || isLike(body.count, rejected);
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
      : other.count >= accepted.count && other.count <= count * 1.1);
  return isTwin(last.body) && earlier.some(({ body }) => isTwin(body));
}

function expectHold(known: Known, body: Body, isHeld: boolean): void {
  const { accepted, rejected, held, seen, endsInLineEnd } = known;
  const mayLoseEnd = isOther(accepted, body) && body.kind !== 'whole' && endsInLineEnd;
  const rows = { before: accepted.count, now: body.count };
  if (!mayLoseEnd || isFewRows(rows)) return;
  if (!isHeld) expect(spacedBodies(known, seen) >= BODIES || hasTwin(known, body)).toBe(true);
  else if (!isLike(body.count, rejected)) expect(spacedBodies(known, held)).toBeLessThan(BODIES);
}

async function expectRecorded(id: string, before: Body, now: Body): Promise<void> {
  expect(await rowsOf(id)).toEqual(rowsOfBody(now));
  expect(await latest(id)).toMatchObject(changesOf(before, now));
}

async function expectTruth(first: Body, steps: readonly Step[]): Promise<void> {
  const { id, serve } = await makeRecord(textOf(first), { keyFields: ['id'] });
  const known: Known = {
    accepted: first,
    held: [],
    seen: [],
    endsInLineEnd: true,
    rejected: null,
    seconds: 0,
  };
  const accept = async (body: Body) => {
    await expectRecorded(id, known.accepted, body);
    const isOpenStill = body.kind !== 'whole' && known.endsInLineEnd && !isOther(known.accepted, body);
    const seen = isOpenStill ? [...known.seen, { body, atSeconds: known.seconds }] : [];
    const endsInLineEnd = body.kind === 'whole' || (isOpenStill && spacedBodies(known, seen) < BODIES);
    Object.assign(known, { accepted: body, held: [], seen, endsInLineEnd, rejected: null });
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
    for (const bodies of [known.held, known.seen]) bodies.push({ body, atSeconds: known.seconds });
    if (decision === null) continue;
    expect(await decide(id, decision)).toBe(true);
    if (decision === 'accepted') {
      await settle(id);
      await accept(body);
    } else Object.assign(known, { rejected: body.count, held: [], seen: [] });
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

it('regression: a sharp drop is confirmed only ten minutes after its first body, whatever was held before', async () => {
  const { id, serve } = await makeRecord(textOf({ kind: 'whole', count: 100, version: 'a' }), {
    keyFields: ['id'],
  });
  const hold = async (kind: Kind, count: number) => {
    serve(textOf({ kind, count, version: 'a' }), { closeDelimited: true });
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held' });
  };
  await hold('open', 90);
  await ageHeld(id, RECHECK_SECONDS + 1);
  await hold('open', 50);
  await hold('whole', 46);
  await hold('whole', 46);
  await ageHeld(id, RECHECK_SECONDS + 1);
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ deletedCount: 54, totalCount: 46 });
});

it('regression: a file that is fetched while it is written is held, also if new rows at its top are as many as are missing', async () => {
  const list = (newest: number): string =>
    `id,name\n${Array.from({ length: newest }, (_, at) => `${newest - at},row ${newest - at}\n`).join('')}`;
  const { id, serve } = await makeRecord(list(100), { keyFields: ['id'] });
  for (const end of ['\n3,row', '\n4,row']) {
    serve(list(106).slice(0, list(106).indexOf(end) + end.length));
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held', code: 'sharp_drop' });
    await ageHeld(id, RECHECK_SECONDS + 1);
  }
  serve(list(106));
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ newCount: 6, changedCount: 0, deletedCount: 0 });
});

describe('regression: a body with all rows shows that the held one was cut, and confirms nothing', () => {
  it.each([
    ['without a length', { closeDelimited: true as const }, ['held', 'held', 'held', 'changed']],
    ['with a length', {}, ['held', 'changed', 'held', 'changed']],
  ])('%s', async (_how, how, expected) => {
    const { id, serve } = await makeRecord(textOf({ kind: 'whole', count: 60, version: 'a' }), {
      keyFields: ['id'],
    });
    const check = async (kind: Kind, count: number) => {
      serve(textOf({ kind, count, version: 'a' }), how);
      await bench().check(id);
      await ageHeld(id, RECHECK_SECONDS + 1);
      return (await lastCheck(id))?.outcome;
    };
    const outcomes = [await check('cut', 35), await check('cut', 61), await check('cut', 40)];
    expect([...outcomes, await check('whole', 62)]).toEqual(expected);
    expect(await rowsOf(id)).toEqual(rowsOfBody({ kind: 'whole', count: 62, version: 'a' }));
  });
});

describe('regression: a cut in an ignored column', () => {
  const seen = (count: number, note = 'note'): string =>
    `id,note,seen\n${Array.from({ length: count }, (_, at) => `${at},${note} ${at},2026-01-01T00:00\n`).join('')}`;
  const watched = async () => {
    const { id, serve } = await makeRecord(seen(60), { keyFields: ['id'], ignoreFields: ['seen'] });
    const check = async (body: string) => {
      serve(body, { closeDelimited: true });
      await bench().check(id);
      await ageHeld(id, RECHECK_SECONDS + 1);
      return (await lastCheck(id))?.outcome;
    };
    return { id, check };
  };
  const cutAfter = (count: number, end: number) => seen(count).slice(0, -end);

  it('does not hide that the table ends in a line end', async () => {
    const { id, check } = await watched();
    expect(await check(cutAfter(60, 4))).toBe('unchanged');
    expect(await check(cutAfter(60, 4))).toBe('unchanged');
    await patch(id, { ignoreFields: ['seen', 'nothing'] });
    await settle(id);
    expect(await check(cutAfter(52, 4))).toBe('held');
    expect(await check(cutAfter(60, 3))).toBe('unchanged');
    expect(await check(cutAfter(51, 4))).toBe('held');
    expect(await check(seen(60, 'word'))).toBe('changed');
    expect(await get(id)).toMatchObject({ openEndedRun: null });
    expect(await check(cutAfter(50, 4))).toBe('held');
  });

  it('is none after six bodies in a row', async () => {
    const { id, check } = await watched();
    for (const end of [1, 2, 3, 4, 5, 6]) expect(await check(cutAfter(60, end))).toBe('unchanged');
    expect(await get(id)).toMatchObject({ openEndedRun: { bodies: 6 } });
    expect(await check(seen(60, 'word').trimEnd())).toBe('changed');
    expect(await get(id)).toMatchObject({ openEndedRun: null });
  });
});
