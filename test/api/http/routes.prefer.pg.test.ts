import { expect, it } from 'vitest';
import { preferredWaitSeconds } from '../../../api/http/routes.ts';

it.each([
  ['wait=10', 10],
  ['respond-async, wait=10', 10],
  ['wait=10, respond-async', 10],
  ['wait=10; foo=bar', 10],
  ['Wait = "10"', 10],
  ['wait=61', 60],
  ['wait=99999', 60],
])('%s requests a wait', (header, seconds) => {
  expect(preferredWaitSeconds(header)).toBe(seconds);
});

it.each([
  ['wait=0'],
  ['wait=-1'],
  ['wait=ten'],
  ['wait'],
  ['await=5'],
  ['wait=1.5'],
  [''],
  ['return=minimal'],
])('%j does not', (header) => {
  expect(preferredWaitSeconds(header)).toBeUndefined();
});

it('accepts no header, and several', () => {
  expect(preferredWaitSeconds(undefined)).toBeUndefined();
  expect(preferredWaitSeconds(['return=minimal', 'wait=3'])).toBe(3);
});
