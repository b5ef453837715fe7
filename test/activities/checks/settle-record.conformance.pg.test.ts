// Bodies, settings and decisions in any order, also while an activity reads a body. The stored rows must always be those of
// the accepted body under the stored rule, and an event must say what changed from the rows before.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Activities, createActivities } from '../../../activities/create-activities.ts';
import { carryOverBy } from '../../../core/delta/carry-over.ts';
import { apply, compare } from '../../../core/delta/compare.ts';
import type { Dialect } from '../../../core/delta/model.ts';
import type { ColumnRules } from '../../../core/delta/rules/column-rules.ts';
import { isRekeyDue, startsOver } from '../../../core/generation.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import type { RecordChanges, TrackedRecord } from '../../../db/records/records.ts';
import { readBody } from '../../core/delta/read-body.ts';
import { propertyRuns } from '../../support/runner/property-runs.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

/** `FAST_CHECK_RUNS=1000 npx vitest run test/activities/checks/settle-record.conformance` for a long search. */
const RUNS = propertyRuns(25);

const { bench, decide, get, lastCheck, latest, origin, patch, plan, rowsOf } = useWatchedRecords();

type Row = readonly [id: number, code: string, note: string];
type Act =
  | { kind: 'rule'; rule: Pick<RecordChanges, 'keyFields' | 'ignoreFields' | 'rules'> }
  | { kind: 'path'; rowsPath: 'a' | 'b' }
  | { kind: 'start over' }
  | { kind: 'decide'; decision: 'accepted' | 'rejected' };
type Step = Act | { kind: 'check' | 'settle'; serve: string | null; meanwhile: Act | null };

const row = fc.tuple(fc.nat(5), fc.constantFrom('p', 'q', 'r'), fc.constantFrom('x', 'X', 'y'));
const rows: fc.Arbitrary<Row[]> = fc.oneof(
  { weight: 4, arbitrary: fc.array(row, { minLength: 1, maxLength: 5 }) },
  { weight: 1, arbitrary: fc.constant<Row[]>([]) },
);
const objects = (list: readonly Row[]): string =>
  JSON.stringify(list.map(([id, code, note]) => ({ id, code, note })));
const body = fc.tuple(rows, rows).map(([a, b]) => `{"a":${objects(a)},"b":${objects(b)}}`);

const act: fc.Arbitrary<Act> = fc.oneof(
  fc
    .record({
      keyFields: fc.constantFrom<(string[] | null)[]>(['id'], ['code'], ['id', 'code'], [], null),
      ignoreFields: fc.constantFrom<string[][]>([], ['note']),
      rules: fc.constantFrom<ColumnRules[]>({}, { note: { ignoreCase: true } }),
    })
    .map((rule) => ({ kind: 'rule' as const, rule })),
  fc.constantFrom('a' as const, 'b' as const).map((rowsPath) => ({ kind: 'path' as const, rowsPath })),
  fc.constant({ kind: 'start over' as const }),
  fc
    .constantFrom('accepted' as const, 'accepted' as const, 'rejected' as const)
    .map((decision) => ({ kind: 'decide' as const, decision })),
);
const meanwhile = fc.option(act, { freq: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: act },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('check' as const), serve: fc.option(body), meanwhile }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      serve: fc.constant(null),
      meanwhile,
    }),
  },
);

async function perform(id: string, done: Act): Promise<void> {
  const { generation, snapshotId, dialectVersion, rowsPath } = await get(id);
  if (done.kind === 'rule') await patch(id, done.rule);
  else if (done.kind === 'decide') await decide(id, done.decision);
  else if (done.kind === 'start over') {
    await patch(id, { startsOverGeneration: snapshotId === null ? null : generation });
  } else if (done.rowsPath !== rowsPath) {
    await patch(id, { rowsPath: done.rowsPath, dialectVersion: dialectVersion + 1 });
  }
}

/** Runs an action when an activity opens its first body. */
function activitiesWhile(id: string, other: Act | null): Activities {
  const { blobs } = bench().deps;
  let isFirst = true;
  const open: typeof blobs.open = async (recordId, name) => {
    if (isFirst && other !== null) await perform(id, other);
    isFirst = false;
    return blobs.open(recordId, name);
  };
  return createActivities({ ...bench().deps, blobs: { ...blobs, open }, indexFromBytes: 0 });
}

async function run(id: string, { kind, meanwhile: other }: Extract<Step, { serve: unknown }>): Promise<void> {
  const { fetchSource, recordDelta, settleRecord } = activitiesWhile(id, other);
  const input = bench().newCheck(id);
  if (kind === 'settle') {
    if ('settle' in (await plan(id))) await bench().run(() => settleRecord(input));
    return;
  }
  const fetched = await bench().run(() => fetchSource(input));
  if (fetched.kind === 'fetched') await bench().run(() => recordDelta({ ...input, ...fetched }));
}

/** What the accepted body holds under the rule that rows are kept under. */
async function rowsOfBody(text: string, record: TrackedRecord) {
  const { dialect, headKeyFields, headIgnoreFields, headRules } = record;
  const { rows: read } = await readBody(text, {
    // Written by checks, which store a Dialect.
    dialect: dialect as Dialect,
    keyFields: headKeyFields,
    ignoreFields: headIgnoreFields,
    rules: headRules,
  });
  return Object.fromEntries(read.map(({ key, data }) => [key, data]));
}

const listOf = (stored: Record<string, string>) =>
  Object.entries(stored).map(([key, data]) => ({ key, data }));

async function viewOf(id: string) {
  const { heldCheckId } = await get(id);
  const [held] = await rawRows<{ heldChanges: Counts | null; code: string | null }>(
    bench().database.db,
    'select held_changes as "heldChanges", error_code as code from checks where id = ?',
    [heldCheckId ?? ''],
  );
  return {
    record: await get(id),
    rows: await rowsOf(id),
    check: await lastCheck(id),
    held: held?.heldChanges,
    heldFor: held?.code,
  };
}
type View = Awaited<ReturnType<typeof viewOf>>;

interface Counts {
  newCount: number;
  changedCount: number;
  deletedCount: number;
  totalCount: number;
}

const countsOf = ({ newCount, changedCount, deletedCount, totalCount }: Counts): Counts => ({
  newCount,
  changedCount,
  deletedCount,
  totalCount,
});

/** The rule that rows are kept under; undefined while there have never been rows that a key could be chosen by. */
const ruleOf = ({ headKeyFields, headIgnoreFields, headRules, keyEvidence }: TrackedRecord) =>
  JSON.stringify(keyEvidence).includes('no_rows')
    ? undefined
    : { headKeyFields, headIgnoreFields, headRules };

/** The report about a step that may have changed rows. */
async function saidOf(id: string, before: View, now: View, mayBegin: boolean) {
  const event = await latest(id);
  const isNew = now.record.generation !== before.record.generation;
  return {
    rows: now.rows,
    rekeyed: event.rekeyed,
    counts: countsOf(event),
    rule: isNew || ruleOf(before.record) === undefined ? undefined : ruleOf(now.record),
    isAsked: !isNew || mayBegin,
  };
}

/** The truth about it. */
async function truthOf(text: string, before: View, now: View) {
  const isNew = now.record.generation !== before.record.generation;
  const { headRules, headKeyFields } = now.record;
  const read = await rowsOfBody(text, now.record);
  const carryOver = carryOverBy(headRules, headKeyFields);
  const delta = compare(listOf(before.rows), listOf(isNew ? before.rows : read), carryOver);
  // A value that its rule takes for the same stays as it was reported.
  const stored = apply(listOf(before.rows), delta).map(({ key, data }) => [key, data] as const);
  const rows = isNew ? read : Object.fromEntries(stored);
  const counts = {
    newCount: delta.new.length,
    changedCount: delta.changed.length,
    deletedCount: delta.deleted.length,
    totalCount: Object.keys(rows).length,
  };
  return {
    rows,
    rekeyed: isNew,
    // The accepted changes are those that the held check announced.
    counts: now.check?.trigger === 'accepted' ? countsOf(before.held ?? counts) : counts,
    rule: isNew ? undefined : ruleOf(before.record),
    isAsked: true,
  };
}

function requireNothingSaid(before: View, now: View): void {
  const [then, later] = [before, now].map(({ rows: stored, record: { generation } }) => [stored, generation]);
  expect(later).toEqual(then);
}

let paths = 0;

async function expectTruth(first: string, steps: readonly Step[]): Promise<void> {
  const path = `/motion-${++paths}`;
  const headers = { 'content-type': 'application/json' };
  origin().set(path, { body: first, headers });
  let served = first;
  const id = await bench().makeRecord({ url: origin().url + path, format: 'json', rowsPath: 'a' });
  await bench().check(id);
  const known = new Map([[(await get(id)).bodySha256, first]]);
  for (const each of steps) {
    if (!('serve' in each)) {
      await perform(id, each);
      continue;
    }
    served = each.serve ?? served;
    origin().set(path, { body: served, headers });
    const before = await viewOf(id);
    await run(id, each);
    const now = await viewOf(id);
    const { bodySha256, heldSha256 } = now.record;
    const isGood = now.check?.id !== before.check?.id && now.check?.outcome.endsWith('changed') === true;
    if (!isGood) {
      known.set(heldSha256, known.get(heldSha256) ?? served);
      requireNothingSaid(before, now);
      continue;
    }
    if (now.check?.trigger === 'schedule') known.set(bodySha256, served);
    const isKeyGivenUp = now.check?.trigger === 'accepted' && before.heldFor === 'key_repeated';
    const mayBegin =
      isRekeyDue(before.record) || startsOver(before.record) || isKeyGivenUp || each.meanwhile !== null;
    const said = await saidOf(id, before, now, mayBegin);
    expect(said).toEqual(await truthOf(known.get(bodySha256) ?? '', before, now));
  }
}

it('no false change is reported', { timeout: 3_600_000 }, async () => {
  const property = fc.asyncProperty(body, fc.array(step, { minLength: 4, maxLength: 14 }), expectTruth);
  await fc.assert(property, RUNS);
});
