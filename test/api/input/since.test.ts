// Compares the patterns of times, events and cursors in the OpenAPI document with the forms that the API accepts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgeField, readTime, timeField } from '../../../api/input/since.ts';
import { describeApi } from '../../../api/openapi/document.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { propertyRuns, PROPERTY_TIMEOUT } from '../../support/runner/property-runs.ts';

/** The pattern of a field in the OpenAPI document. */
const patternOf = (field: object): RegExp => {
  const stated = (field as { statedPattern?: string }).statedPattern;
  if (stated === undefined) throw new Error('states no pattern');
  return new RegExp(stated);
};
const TIME = patternOf(timeField(''));
const EDGE = patternOf(edgeField(''));

describe('the stated pattern of times', () => {
  it(
    'matches only texts that are accepted as a time, apart from leap days and the edges of the calendar',
    PROPERTY_TIMEOUT,
    () => {
      fc.assert(
        fc.property(
          fc.stringMatching(TIME).filter((text) => !/-02-29|^(0000|9999)/.test(text)),
          (text) => {
            expect(readTime(text)).toBeInstanceOf(Date);
          },
        ),
        propertyRuns(),
      );
    },
  );

  it('matches every time as JavaScript prints it', PROPERTY_TIMEOUT, () => {
    const times = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(times, (time) => {
        expect(time.toISOString()).toMatch(TIME);
        expect(time.toISOString().toLowerCase()).toMatch(TIME);
        expect(time.toISOString().slice(0, 10)).toMatch(TIME);
      }),
      propertyRuns(),
    );
  });

  it.each([
    '2026-01-31',
    '2024-02-29',
    '2026-01-31T12:00Z',
    '2026-01-31t12:00:00z',
    '2026-01-31T12:00:00.123456789+05:30',
  ])('regression: takes %s', (text) => {
    expect(text).toMatch(TIME);
    expect(readTime(text)).toBeInstanceOf(Date);
  });

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    '2026-04-31',
    '2026-13-01',
    '2026-01-31T12:00:00',
    '2026-01-31T12Z',
  ])('does not take %s', (text) => {
    expect(text).not.toMatch(TIME);
    expect(readTime(text)).toBeUndefined();
  });

  it.each(['0000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
    'regression: is refused when its UTC year does not have four digits: %s',
    (text) => expect(readTime(text)).toBeUndefined(),
  );

  it('accepts the id of an event', () => {
    const event = `evt_${'0'.repeat(32)}`;
    expect(event).toMatch(EDGE);
    expect('2026-01-31').toMatch(EDGE);
    expect(event).not.toMatch(TIME);
  });
});

interface Described {
  name: string;
  schema: { pattern?: string };
}

it('regression: every since, until and cursor of the description has a pattern', () => {
  const { paths } = describeApi(OPERATIONS, 'http://localhost:8080') as unknown as {
    paths: Record<string, Record<string, { parameters: Partial<Described>[] }>>;
  };
  const described = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ parameters }) => parameters)
    .filter(({ name = '' }) => ['since', 'until', 'cursor'].includes(name));
  expect(described.length).toBeGreaterThan(15);
  for (const { name, schema } of described) {
    expect({ name, pattern: schema?.pattern }).toEqual({ name, pattern: expect.any(String) });
    // An empty cursor is the first page, for clients that begin with an empty text.
    expect(new RegExp(schema?.pattern ?? '').test('')).toBe(name === 'cursor');
  }
});
