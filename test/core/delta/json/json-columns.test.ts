// Objects to cells: whatever rows came before, a row reads as it would by itself.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createJsonColumns, type JsonColumns } from '../../../../core/delta/json/json-columns.ts';
import { layoutOf } from '../../../../core/delta/json/json-layout.ts';
import { ROW_LIMITS } from '../../../../core/delta/model.ts';
import { CheckError } from '../../../../core/errors.ts';
import { createWarnings } from '../../../../core/delta/warnings.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';

const LIMITS = { ...ROW_LIMITS, maxRows: 100, maxFieldLength: 30, maxRowLength: 300, maxDepth: 4 };

function newReader(): { columns: JsonColumns; warnings: ReturnType<typeof createWarnings> } {
  const warnings = createWarnings();
  return { columns: createJsonColumns(LIMITS, warnings), warnings };
}

/** The row as a map from path to token, or what was said of it. */
function read({ columns, toCells }: JsonColumns, text: string): Record<string, string | undefined> | string {
  try {
    const cells = toCells(text, { name: 'row 1', offset: 0, isOpen: false });
    const present = columns.flatMap((path, index) =>
      cells[index] === undefined ? [] : [[path, cells[index]] as const],
    );
    return Object.fromEntries(present.sort(([left], [right]) => (left < right ? -1 : 1)));
  } catch (error) {
    if (error instanceof CheckError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

const scalar = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '-0',
    '1.50',
    '1e9',
    '007',
    '""',
    '"\\u00e9"',
    '"\\ud83d"',
    '{}',
    '[]',
    '[1]',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => JSON.stringify(text)),
  fc
    .array(fc.constantFrom('\\"', '\\\\', '\\n', '\\/', '😀', 'a', ' ', '\u0001', '\ud800'), {
      maxLength: 20,
    })
    .map((parts) => `"${parts.join('')}"`),
);
/** Pieces around six values, which rows have in common, now and then with a piece of their own. */
const layout = fc.constantFrom(
  ['{"a":', ',"b":', '}'],
  ['{ "b" : ', ', "a":', ' }\n'],
  ['{"o":{"a":', ',"b":', '},"c":', '}'],
  ['{"o":{"p":{"a":', '}},"o.q":', '}'],
  ['{"o":{"a":', '},"o.a":', '}'],
  ['{"o":{"a":', '},"o":{"b":', '}}'],
  ['{"a":', ',"a":', '}'],
  ['{"\\u0061":', ',"b":', '}'],
  ['{"a":', '}}'],
  ['{"a":', ',}'],
  ['[{"a":', '}]'],
);
const row = (pieces: readonly string[]) =>
  fc
    .array(scalar, { minLength: pieces.length - 1, maxLength: pieces.length - 1 })
    .map((values) => pieces.map((piece, index) => piece + (values[index] ?? '')).join(''));
const rows = fc
  .tuple(layout, layout)
  .chain(([one, other]) =>
    fc.array(fc.oneof({ weight: 4, arbitrary: row(one) }, row(other)), { maxLength: 8 }),
  );

describe('rows of objects', () => {
  test('are read as each would be alone, whatever the layout of those before', PROPERTY_TIMEOUT, () => {
    fc.assert(
      fc.property(rows, (texts) => {
        const shared = newReader();
        let warned = 0;
        for (const text of texts) {
          const alone = newReader();
          expect(read(shared.columns, text)).toEqual(read(alone.columns, text));
          warned += alone.warnings.list().reduce((sum, { count }) => sum + count, 0);
          expect(shared.warnings.list().reduce((sum, { count }) => sum + count, 0)).toBe(warned);
        }
      }),
      propertyRuns(5_000),
    );
  });

  test('have a layout unless something is listed, escaped in a name or empty', () => {
    const paths = (text: string) => layoutOf(text)?.paths;
    expect(paths('{"a":1,"o":{"b":"x","p":{"c":null}}, "d" : true}\n')).toEqual(['a', 'o.b', 'o.p.c', 'd']);
    expect(paths('{"a":[1]}')).toBeUndefined();
    expect(paths('{"a":{}}')).toBeUndefined();
    expect(paths('{"\\u0061":1}')).toBeUndefined();
    expect(layoutOf('{"a":1,"b":"x"}')?.valuesOf('{"a":-2.50,"b":"é\\"😀"}')).toEqual(['-2.50', '"é\\"😀"']);
  });
});
