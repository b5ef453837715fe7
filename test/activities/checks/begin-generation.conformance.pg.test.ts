// Checks and changes of the rule in any order, against a model of a few lines: rows are those of the accepted body under
// the rule in force, a change of the rule invents no change of the data, and no change of the data is lost to one.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { carryOverBy } from '../../../core/delta/carry-over.ts';
import { apply, compare, type RowVersion } from '../../../core/delta/compare.ts';
import { createIdentifier } from '../../../core/delta/keys/keyed-row.ts';
import { type ColumnRules, isSameRules } from '../../../core/delta/rules/column-rules.ts';
import { createWarnings } from '../../../core/delta/warnings.ts';
import { propertyRuns } from '../../support/runner/property-runs.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

/** `FAST_CHECK_RUNS=1000 npx vitest run test/db/generations` for a long search. */
const RUNS = propertyRuns(25);

const { bench, latest, makeRecord, patch, plan, rowsOf, settle } = useWatchedRecords();

const COLUMNS = ['id', 'code', 'price', 'note'];

interface Rule {
  keyFields: string[];
  ignoreFields: string[];
  rules: ColumnRules;
}
type Row = readonly string[];
type Step = { kind: 'check'; rows: Row[] } | { kind: 'ask'; rule: Rule } | { kind: 'settle' };

const cell = fc.constantFrom('a', 'b', 'c', 'd');
// Keys come twice now and then: of rows with the same key the last one counts.
const rows = fc.array(
  fc.tuple(cell, cell, fc.constantFrom('1', '1.0', '2', '2.5', '3'), fc.constantFrom('x', 'x ', 'y')),
  {
    minLength: 1,
    maxLength: 6,
  },
);
const rule: fc.Arbitrary<Rule> = fc.record({
  keyFields: fc.constantFrom(['id'], ['code'], ['id', 'code'], ['code', 'id']),
  ignoreFields: fc.constantFrom<string[][]>([], ['note'], ['price'], ['note', 'price'], ['price', 'note']),
  rules: fc.constantFrom<ColumnRules[]>(
    {},
    { price: { as: 'number', tolerance: '1' } },
    { note: { trim: true }, price: { as: 'number' } },
    { price: { as: 'number' }, note: { trim: true } },
  ),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: rows.map((made) => ({ kind: 'check' as const, rows: made })) },
  { weight: 2, arbitrary: rule.map((made) => ({ kind: 'ask' as const, rule: made })) },
  { weight: 2, arbitrary: fc.constant({ kind: 'settle' as const }) },
);

const csv = (table: readonly Row[]): string =>
  [COLUMNS, ...table].map((row) => `${row.join(',')}\n`).join('');

/** What the rows of a table are under a rule. */
function keyed(table: readonly Row[], { keyFields, ignoreFields, rules }: Rule): RowVersion[] {
  const isIgnored = (column: string): boolean => ignoreFields.includes(column);
  const cells = table.map((row) => row.map((value) => JSON.stringify(value)));
  return createIdentifier({ keyFields, isIgnored, rules }, createWarnings()).identify({
    columns: COLUMNS,
    rows: cells,
  });
}

const byKey = (table: readonly RowVersion[]): Record<string, string> =>
  Object.fromEntries(table.map(({ key, data }) => [key, data]));

const isOther = (left: Rule, right: Rule): boolean =>
  left.keyFields.join() !== right.keyFields.join() ||
  left.ignoreFields.toSorted().join() !== right.ignoreFields.toSorted().join() ||
  !isSameRules(left.rules, right.rules);

interface Model {
  /** Of the accepted body. */
  rows: Row[];
  /** With the values that were reported last. */
  stored: RowVersion[];
  inForce: Rule;
  asked: Rule;
  event: Awaited<ReturnType<typeof lastEvent>>;
}

async function lastEvent(id: string) {
  const { newCount, changedCount, deletedCount, isNoChange, rekeyed, generation } = await latest(id);
  return { new: newCount, changed: changedCount, deleted: deletedCount, isNoChange, rekeyed, generation };
}

const NOTHING = { new: 0, changed: 0, deleted: 0, isNoChange: true, rekeyed: false };

function check({ stored, inForce, asked, event: { generation } }: Model, now: Row[]): Model {
  const { rules, keyFields } = inForce;
  const delta = compare(stored, keyed(now, inForce), carryOverBy(rules, keyFields));
  const counts = { new: delta.new.length, changed: delta.changed.length, deleted: delta.deleted.length };
  const isNoChange = counts.new + counts.changed + counts.deleted === 0;
  return {
    rows: now,
    stored: apply(stored, delta),
    inForce,
    asked,
    event: { ...NOTHING, ...counts, isNoChange, generation },
  };
}

function settleModel(model: Model): Model {
  if (!isOther(model.asked, model.inForce)) return model;
  const generation = model.event.generation + 1;
  const stored = keyed(model.rows, model.asked);
  return { ...model, stored, inForce: model.asked, event: { ...NOTHING, rekeyed: true, generation } };
}

async function expectAsModel(first: Row[], begin: Rule, steps: readonly Step[]): Promise<void> {
  const { id, serve } = await makeRecord(csv(first), begin);
  let model: Model = {
    rows: first,
    stored: keyed(first, begin),
    inForce: begin,
    asked: begin,
    event: { ...NOTHING, generation: 1 },
  };
  for (const each of steps) {
    if (each.kind === 'ask') {
      await patch(id, each.rule);
      model = { ...model, asked: each.rule };
    } else if (each.kind === 'settle') {
      await settle(id);
      model = settleModel(model);
    } else {
      serve(csv(each.rows));
      await bench().check(id);
      model = check(model, each.rows);
    }
    const isSettlementDue = 'settle' in (await plan(id));
    expect({ isSettlementDue, event: await lastEvent(id), rows: await rowsOf(id) }).toEqual({
      isSettlementDue: isOther(model.asked, model.inForce),
      event: model.event,
      rows: byKey(model.stored),
    });
  }
}

it('any sequence has the result of the model', { timeout: 3_600_000 }, async () => {
  const property = fc.asyncProperty(
    rows,
    rule,
    fc.array(step, { minLength: 4, maxLength: 9 }),
    expectAsModel,
  );
  await fc.assert(property, RUNS);
});
