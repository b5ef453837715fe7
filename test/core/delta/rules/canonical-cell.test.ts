// When two cells are the same under a rule.
import { describe, expect, it } from 'vitest';
import { canonicalBy } from '../../../../core/delta/rules/canonical-cell.ts';
import type { ColumnRule } from '../../../../core/delta/rules/column-rules.ts';
import type { Cell } from '../../../../core/delta/model.ts';

const isSame = (rule: ColumnRule, left: Cell, right: Cell): boolean => {
  const canonical = canonicalBy(rule);
  return canonical(left) === canonical(right);
};
const text = (value: string): string => JSON.stringify(value);

/** Each cell is the same as those in its own group, and as no other. */
function expectGroups(rule: ColumnRule, groups: readonly (readonly Cell[])[]): void {
  const cells = groups.flatMap((group, index) => group.map((cell) => ({ cell, index })));
  for (const left of cells) {
    const same = cells.filter(({ cell }) => isSame(rule, left.cell, cell));
    expect(same.map(({ cell }) => cell)).toEqual(groups[left.index]);
  }
}

describe('numbers', () => {
  it('are the same however they are written, and without floats', () => {
    expectGroups({ as: 'number' }, [
      ['1.1', '1.10', '11e-1', '0.11E1', text('1.1'), text('001.100'), text('110e-2'), text('0.11E+1')],
      ['0', '-0', '0.000', '0e5', text('-0'), text('000'), text('-0.0e-7')],
      ['-1.1', text('-1.10')],
      ['100', '1e2', text('1E+2')],
      ['10000000000000000999', text('10000000000000000999.0')],
      ['10000000000000001000', text('1.0000000000000001e19')],
      ['1e-999', text('0.1e-998')],
    ]);
  });

  it('are nothing else: any other value keeps its text', () => {
    const texts = [
      '',
      ' 1',
      '1 ',
      '+1',
      '1.',
      '.5',
      '1,5',
      '1e',
      '1e1000',
      '0x10',
      'NaN',
      'Infinity',
      '1_000',
      '٣',
      '1\n',
    ];
    const others = ['null', 'true', '[1]', '[1.0]', '1e200000', '1E200000', '1'.repeat(201), undefined];
    expectGroups({ as: 'number' }, [
      ...texts.map((each) => [text(each)]),
      ...others.map((each) => [each]),
      [text('number 1e0')],
      ['1'],
    ]);
  });

  it('may have white space around them where the rule trims', () => {
    expectGroups({ as: 'number', trim: true }, [
      ['1', text(' 1.0\n'), text('\u00a01')],
      [text(' '), text('')],
      [text('1 0')],
      [text('10')],
    ]);
  });
});

describe('dates', () => {
  it('are the same instant in any offset, with all digits of the fraction', () => {
    expectGroups({ as: 'date' }, [
      ['2026-03-01T00:30:00Z', '2026-02-28T19:30:00-05:00', '2026-03-01 01:30+01', '2026-03-01t00:30:00.000z',
        '2026-03-01T06:00:00,0+0530', '2026-03-01T00:30:00-00:00'].map(text),
      ['2026-03-01T00:30:00.1Z', '2026-03-01T00:30:00.100000000000000000Z'].map(text),
      ['2026-03-01T00:30:00.100000000000000001Z'].map(text),
      ['0099-12-31T23:59:59Z', '0100-01-01T00:29:59+00:30'].map(text),
      ['1999-12-31T23:59:59Z'].map(text),
      ['2024-02-29T12:00Z'].map(text),
    ]); // prettier-ignore
  });

  it('of days, of times without an offset, and of instants are three kinds', () => {
    expectGroups({ as: 'date' }, [
      ['2026-03-01'].map(text),
      ['2026-03-01T00:00', '2026-03-01 00:00:00', '2026-03-01T00:00:00.000'].map(text),
      ['2026-03-01T00:00Z', '2026-03-01T00:00:00+00:00'].map(text),
      ['2026-03-02'].map(text),
    ]);
  });

  it('are nothing else: any other value keeps its text', () => {
    const texts = [
      '', '2026-02-29', '2026-13-01', '2026-00-10', '2026-01-00', '2026-1-1', '20260101', '01/02/2026', '2026-W01-1', '2026-001',
      '2026-01-01T24:00:00Z', '2026-01-01T12:60Z', '2026-01-01T23:59:60Z', '2026-01-01T12:00:00.Z', '2026-01-01T12Z',
      '2026-01-01T12:00:00+24:00', '2026-01-01T12:00:00+01:60', '2026-01-01T12:00:00 +01:00', '2026-01-01T', ' 2026-01-01',
      '2026-01-01  12:00', '+002026-01-01', 'Thu, 01 Jan 2026 00:00:00 GMT', `2026-01-01T12:00:00.${'0'.repeat(100)}Z`,
    ]; // prettier-ignore
    const others = ['1767225600', '1767225600.0', 'null', undefined];
    expectGroups({ as: 'date' }, [
      ...texts.map((each) => [text(each)]),
      ...others.map((each) => [each]),
      [text('2026-01-01')],
      [text('2026-01-01T12:00Z')],
    ]);
  });
});

describe('texts', () => {
  it('are trimmed of white space at both ends', () => {
    expectGroups({ trim: true }, [
      [text('a b'), text(' a b\t'), text('\u2003a b\r\n'), text('\ufeffa b')],
      [text('a  b')],
      [text('')],
      ['null'],
      [undefined],
    ]);
  });

  it('are the same in any case', () => {
    expectGroups({ ignoreCase: true }, [
      [text('Straße'), text('STRASSE'), text('straSSe'), text('STRAẞE')],
      [text('ὈΔΥΣΣΕΎΣ'), text('ὀδυσσεύς'), text('ὀδυσσεύσ')],
      [text('K'), text('k'), text('\u212a')],
      [text('i'), text('I')],
      [text('ı')],
      [text('é'), text('É')],
      [text('e\u0301'), text('E\u0301')],
    ]);
  });

  it('are the same in a normalization form, also in any case', () => {
    expectGroups({ normalize: 'NFC' }, [
      [text('é'), text('e\u0301')],
      [text('É')],
      [text('ﬁ')],
      [text('fi')],
      [text('Å'), text('\u212b')],
    ]);
    expectGroups({ normalize: 'NFKC' }, [
      [text('ﬁ'), text('fi')],
      [text('①'), text('1')],
      [text('ﬃ'), text('ffi')],
    ]);
    expectGroups({ normalize: 'NFC', ignoreCase: true }, [
      [text('é'), text('E\u0301')],
      [text('\u01f0'), text('J\u030c')],
      [text('\u0390'), text('\u03aa\u0301')],
    ]);
    expectGroups({ normalize: 'NFKC', trim: true, as: 'number' }, [['1', text('１'), text('\u20031.0')]]);
  });

  it('are compared by the characters that they hold, however JSON writes them', () => {
    expectGroups({ trim: true }, [
      [text('a"\\b'), text(' a"\\b')],
      [text('a')],
      ['[" a"]'],
      ['["a"]'],
      ['1'],
      [text('1')],
    ]);
  });
});
