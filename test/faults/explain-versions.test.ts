// The verifier of faults must find a version of an origin that is missing for no reason.
import { describe, expect, it } from 'vitest';
import { naiveTable } from '../support/checks/naive-compare.ts';
import { explainVersions, type Served } from './explain-versions.ts';

const tableOf = (...words: string[]) =>
  naiveTable(`id,word\n${words.map((word, id) => `${id},${word}`).join('\n')}\n`, 'id');
const FIRST = tableOf('a', 'b', 'c', 'd');
const SECOND = tableOf('a', 'b', 'c', 'changed');
const THIRD = tableOf('a', 'b', 'changed', 'changed');
const FEW = tableOf('a');

const MINUTE_MS = 60_000;
const serve = (...tables: Served['table'][]): Served[] =>
  tables.map((table, index) => ({ table, atMs: (index + 1) * MINUTE_MS }));

describe('explainVersions', () => {
  it('finds nothing to complain about when every version is on record', () => {
    const explained = explainVersions(serve(FIRST, SECOND, THIRD), [FIRST, SECOND, THIRD], []);
    expect(explained).toEqual({ recorded: 3, sameRows: 0, held: 0, disturbed: 0, unexplained: [] });
  });

  it('complains about a version that is missing while nothing was disturbed', () => {
    const served = serve(FIRST, SECOND, THIRD);
    expect(explainVersions(served, [FIRST, THIRD], [])).toMatchObject({ unexplained: [served[1]] });
    const longBefore = { fromMs: 0, toMs: MINUTE_MS };
    expect(explainVersions(served, [FIRST, THIRD], [longBefore])).toMatchObject({ unexplained: [served[1]] });
  });

  it('complains about the last version when it is missing', () => {
    const served = serve(FIRST, SECOND);
    expect(explainVersions(served, [FIRST], [])).toMatchObject({ unexplained: [served[1]] });
  });

  it('forgives a missing version whose fetch was disturbed', () => {
    const disturbance = { fromMs: 2 * MINUTE_MS + 1_000, toMs: 2 * MINUTE_MS + 2_000 };
    const explained = explainVersions(serve(FIRST, SECOND, THIRD), [FIRST, THIRD], [disturbance]);
    expect(explained).toMatchObject({ recorded: 2, disturbed: 1, unexplained: [] });
  });

  it('forgives the same rows, and a version with few of them', () => {
    const explained = explainVersions(serve(FIRST, FIRST, FEW, SECOND), [FIRST, SECOND], []);
    expect(explained).toMatchObject({ recorded: 2, sameRows: 1, held: 1, unexplained: [] });
  });

  it('does not count what is on record in another order, or was never served', () => {
    // test/faults/round.ts expects all of them to count.
    expect(explainVersions(serve(FIRST, SECOND, THIRD), [FIRST, THIRD, SECOND], []).recorded).toBe(2);
    expect(explainVersions(serve(FIRST, SECOND), [FIRST, THIRD], []).recorded).toBe(1);
  });
});
