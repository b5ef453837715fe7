import { expect, it } from 'vitest';
import { createReplay, type Replay, type ReplayRule } from '../../../core/delta/replay-events.ts';
import { finish } from '../../../core/delta/steps.ts';

const priced = (price: string): string => JSON.stringify({ id: 'a', price });
const changed = (before: string, after: string) => [
  { key: 'a', before: priced(before), after: priced(after) },
];
/** Replays an event at once. */
const replayWith = (rule: ReplayRule) => {
  const replay = createReplay(rule);
  return (...event: Parameters<Replay>) => finish(replay(...event));
};
const tolerant = () =>
  replayWith({
    rules: { price: { as: 'number', tolerance: '0.5' } },
    isIgnored: () => false,
    keyFields: ['id'],
    pairing: null,
  });

it('counts a tolerance from the value that was reported last', () => {
  const replay = tolerant();
  expect(replay(changed('10', '10.4')).counts.changedCount).toBe(0);
  expect(replay(changed('10.4', '10.8')).counts.changedCount).toBe(1);
});

it('counts from the value after a large change that was not read', () => {
  const replay = tolerant();
  expect(replay(changed('10', '10.4')).counts.changedCount).toBe(0);
  // An event between them, 10.4 to 20, is not given.
  expect(replay(changed('20', '20.3')).counts.changedCount).toBe(0);
});

it('counts from the value that was reported last after a small change that was not read', () => {
  const replay = tolerant();
  expect(replay(changed('10', '10.4')).counts.changedCount).toBe(0);
  // An event between them, 10.4 to 10.45, is not given.
  expect(replay(changed('10.45', '10.6')).counts.changedCount).toBe(1);
});

it('regression: leaves out rows whose last reported value was not read', () => {
  const replay = tolerant();
  const of = (key: string, before: string | null, after: string | null) => ({
    key,
    before: before === null ? null : priced(before),
    after: after === null ? null : priced(after),
  });
  expect(replay([of('b', '1', '1.3')], 'b').decided).toBe(1);
  expect(replay([of('a', '1', '1.6'), of('c', '1.3', '1.6')])).toMatchObject({
    counts: { changedCount: 1 },
    decided: 1,
  });
  // A row that begins again is known, until another event is cut before it.
  expect(replay([of('c', '1.6', null), of('d', null, '1')])).toMatchObject({
    counts: { newCount: 1, deletedCount: 1 },
    decided: 2,
  });
  expect(replay([of('d', '1', '1.6')])).toMatchObject({ counts: { changedCount: 1 }, decided: 1 });
  replay([], 'c');
  expect(replay([of('d', '1.6', '2.6')]).decided).toBe(0);
});

it('pairs similar rows that have no key, and counts the others as new and deleted', () => {
  const row = (name: string, price: string, note = '') => JSON.stringify({ name, price, note });
  const rows = [
    { key: '1', before: null, after: row('Ann', '2', 'x') },
    { key: '2', before: row('Ann', '1', 'y'), after: null },
    { key: '3', before: row('Bob', '5'), after: row('Bob', '6') },
    { key: '4', before: null, after: row('Eve', '9') },
    { key: '5', before: row('Kim', '7', 'old'), after: row('Kim', '7', 'new') },
  ];
  const replayed = (pairing: 'similarity' | null) =>
    replayWith({ rules: {}, isIgnored: (column) => column === 'note', keyFields: [], pairing })(rows).counts;
  expect(replayed('similarity')).toEqual({ newCount: 1, changedCount: 2, deletedCount: 0 });
  expect(replayed(null)).toEqual({ newCount: 3, changedCount: 0, deletedCount: 2 });
});

it.each([['name'], []])('regression: takes a step for each row (key fields: %j)', (...keyFields) => {
  const stepsWith = (count: number): number => {
    const rows = Array.from({ length: count }, (_, at) => ({
      key: `${at}`,
      before: JSON.stringify({ name: `${at}`, price: '1' }),
      after: JSON.stringify({ name: `${at}`, price: '2' }),
    }));
    const replay = createReplay({ rules: {}, isIgnored: () => false, keyFields, pairing: 'similarity' });
    return [...replay(rows)].length;
  };
  expect(stepsWith(100)).toBeGreaterThanOrEqual(100);
  expect(stepsWith(100)).toBeGreaterThan(5 * stepsWith(10));
});
