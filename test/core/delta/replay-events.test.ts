import { expect, it } from 'vitest';
import { createReplay } from '../../../core/delta/replay-events.ts';

const priced = (price: string): string => JSON.stringify({ id: 'a', price });
const changed = (before: string, after: string) => [
  { key: 'a', before: priced(before), after: priced(after) },
];
const tolerant = () =>
  createReplay({
    rules: { price: { as: 'number', tolerance: '0.5' } },
    isIgnored: () => false,
    keyFields: ['id'],
  });

it('counts a tolerance from the value that was reported last', () => {
  const replay = tolerant();
  expect(replay(changed('10', '10.4')).changedCount).toBe(0);
  expect(replay(changed('10.4', '10.8')).changedCount).toBe(1);
});

it('counts from the value after a large change that was not read', () => {
  const replay = tolerant();
  expect(replay(changed('10', '10.4')).changedCount).toBe(0);
  // An event between them, 10.4 to 20, is not given.
  expect(replay(changed('20', '20.3')).changedCount).toBe(0);
});

it('counts from the value that was reported last after a small change that was not read', () => {
  const replay = tolerant();
  expect(replay(changed('10', '10.4')).changedCount).toBe(0);
  // An event between them, 10.4 to 10.45, is not given.
  expect(replay(changed('10.45', '10.6')).changedCount).toBe(1);
});
