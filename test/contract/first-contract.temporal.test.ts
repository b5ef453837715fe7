// A client of the first contract sees no difference: each answer and each webhook is what version 7b789f8 gave, byte by byte,
// except for the members that were added since. `npm run old-answers -- <commit>` writes the fixture.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { comparable, type ComparableAnswer } from './comparable.ts';
import { liveThroughFirstContract } from './first-contract.ts';

/** Where an earlier version writes its answers (test/upgrade/old-answers.ts). */
const RECORD_TO = process.env['RECORD_ANSWERS_TO'];

const FIXTURE = new URL('../fixtures/first-contract.json', import.meta.url);

/** What was added since, by the prefix of an object's id. The bodies of webhooks have no additions. */
const ADDITIONS: Readonly<Record<string, readonly string[]>> = {
  src: ['rules', 'quoting', 'pairing', 'quietHours', 'labels', 'failingSince', 'originAnswer'],
  evt: ['changedColumns'],
  wh: [
    'condition',
    'format',
    'include',
    'maxBodyBytes',
    'fields',
    'ordered',
    'onFailure',
    'quietHours',
    'digest',
    'failingAfter',
  ],
  dlv: ['condition', 'waitsFor'],
};

it('a client of the first contract sees no difference, except for the listed additions', async () => {
  const lived = await liveThroughFirstContract();
  const { answers, found } = comparable(lived, ADDITIONS);
  if (RECORD_TO !== undefined) return writeFileSync(RECORD_TO, `${JSON.stringify(answers, null, 2)}\n`);
  const recorded = JSON.parse(readFileSync(FIXTURE, 'utf8')) as ComparableAnswer[];
  expect(answers.map(({ step }) => step)).toEqual(recorded.map(({ step }) => step));
  for (const [index, before] of recorded.entries()) {
    // As texts, so that the order of members counts.
    expect(JSON.stringify(answers[index], null, 1)).toBe(JSON.stringify(before, null, 1));
  }
  const listed = Object.entries(ADDITIONS).flatMap(([kind, names]) => names.map((name) => `${kind}.${name}`));
  expect([...found].toSorted()).toEqual(listed.toSorted());
});
