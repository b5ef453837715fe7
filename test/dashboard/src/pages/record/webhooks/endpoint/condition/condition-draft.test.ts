// The form of a condition writes what the service reads, and shows a stored one in fields where they can write the same.
import { describe, expect, it } from 'vitest';
import { readCondition } from '../../../../../../../../core/conditions/condition.ts';
import {
  type ConditionDraft,
  conditionOf,
  draftOfCondition,
  NO_CONDITION,
} from '../../../../../../../../dashboard/src/pages/record/webhooks/endpoint/condition/condition-draft.ts';
import { conditionWords } from '../../../../../../../../dashboard/src/pages/record/webhooks/endpoint/condition/condition-words.ts';

const column = (changes: Partial<ConditionDraft>): ConditionDraft => ({
  ...NO_CONDITION,
  kind: 'column',
  column: 'price',
  ...changes,
});
const rows = { var: 'rows' };
const [before, after, percent] = [{ before: 'price' }, { after: 'price' }, { percent: 'price' }];

describe('the usual conditions', () => {
  it.each<[Partial<ConditionDraft>, object, string]>([
    [{ move: 'fell', value: '5' }, { '<': [percent, -5] }, 'price fell by more than 5 %'],
    [{ move: 'rose', value: '2.5' }, { '>': [percent, 2.5] }, 'price rose by more than 2.5 %'],
    [
      { move: 'above', value: '100' },
      { and: [{ '<=': [before, 100] }, { '>': [after, 100] }] },
      'price rose above 100',
    ],
    [
      { move: 'below', value: '-0.5' },
      { and: [{ '>=': [before, -0.5] }, { '<': [after, -0.5] }] },
      'price fell below -0.5',
    ],
    [
      { move: 'became', value: '0' },
      { and: [{ '==': [after, 0] }, { '!=': [before, after] }] },
      'price became 0',
    ],
    [
      { move: 'became', value: 'sold "out", ] }' },
      { and: [{ '==': [after, 'sold "out", ] }'] }, { '!=': [before, after] }] },
      'price became sold "out", ] }',
    ],
    [
      { move: 'above', value: '12345678901234567890.5' },
      { and: [{ '<=': [before, '12345678901234567890.5'] }, { '>': [after, '12345678901234567890.5'] }] },
      'price rose above 12345678901234567890.5',
    ],
  ])('%j', (changes, test, words) => {
    const condition = { some: [rows, test] };
    expect(conditionOf(column(changes))).toEqual(condition);
    expect(readCondition(condition)).toHaveProperty('condition');
    expect(draftOfCondition(condition)).toMatchObject({ kind: 'column', column: 'price', ...changes });
    expect(conditionWords(condition)).toBe(words);
  });

  it('of rows', () => {
    const condition = { '>': [{ var: 'deletedCount' }, 20] };
    const draft: ConditionDraft = { ...NO_CONDITION, kind: 'rows', changeType: 'deleted', count: 20 };
    expect(conditionOf(draft)).toEqual(condition);
    expect(draftOfCondition(condition)).toMatchObject({ kind: 'rows', changeType: 'deleted', count: 20 });
    expect(conditionWords(condition)).toBe('more than 20 rows are deleted');
  });

  it('are not complete without their parts', () => {
    expect(conditionOf(NO_CONDITION)).toBeNull();
    expect(conditionOf(column({ value: '' }))).toBeUndefined();
    expect(conditionOf(column({ column: '', value: '5' }))).toBeUndefined();
    expect(conditionOf(column({ value: '5 %' }))).toBeUndefined();
    expect(conditionOf({ ...NO_CONDITION, kind: 'rows' })).toBeUndefined();
  });
});

describe('JSON', () => {
  it.each([
    { some: [rows, { '<': [percent, -5] }, 1] },
    { all: [rows, { '<': [percent, -5] }] },
    { '>=': [{ var: 'deletedCount' }, 20] },
    { and: [{ '>': [{ var: 'deletedCount' }, 20] }] },
    { some: [rows, { '<': [{ percent: 'price' }, { percent: 'cost' }] }] },
  ])('shows what the fields cannot: %j', (condition) => {
    const draft = draftOfCondition(condition);
    expect(draft.kind).toBe('json');
    expect(conditionOf(draft)).toEqual(condition);
    expect(conditionWords(condition)).toBe(JSON.stringify(condition));
  });

  it.each(['', '{', '[]', '1', 'null'])('is not complete as %j', (json) => {
    expect(conditionOf({ ...NO_CONDITION, kind: 'json', json })).toBeUndefined();
  });
});
