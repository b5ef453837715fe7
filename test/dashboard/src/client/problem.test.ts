// Refusals of the API, and answers of proxies that only look like one.
import { expect, it } from 'vitest';
import { problemOf } from '../../../../dashboard/src/client/problem.ts';

const FAULT = { pointer: '/name', code: 'too_long', detail: 'is too long' };

const faultsOf = async (errors: unknown) =>
  (await problemOf(Response.json({ errors }, { status: 502 }))).faults;

it('has the faults of fields that the API names', async () => {
  expect(await faultsOf([FAULT])).toEqual([FAULT]);
});

it.each([
  [[{ message: 'x' }]],
  [[null, 'x', { pointer: 1, detail: 'x' }, { pointer: '/name' }]],
  [{ message: 'x' }],
  ['x'],
  [null],
])('regression: has no fault if the answer is that of a proxy: %j', async (errors) => {
  expect(await faultsOf(errors)).toEqual([]);
});
