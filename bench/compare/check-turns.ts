// Checks of two records in turns, and what each costs.
import { costOf, type LargeCost } from '../large/measure-large.ts';
import { median } from '../statistics.ts';
import type { System } from '../system.ts';
import type { WatchedRecord } from './watched-record.ts';

export interface Side {
  record: WatchedRecord;
  file: string;
}

/**
 * Both records have been checked with `begin`. In even rounds each gets its own file, in odd ones `begin`.
 * @returns the medians
 */
export async function costsInTurns(
  system: System,
  sides: readonly [Side, Side],
  begin: string,
  rounds: number,
): Promise<[first: LargeCost, second: LargeCost]> {
  const costs: [LargeCost[], LargeCost[]] = [[], []];
  for (let round = 0; round < 2 * rounds; round++) {
    const isEven = round % 2 === 0;
    // Who begins changes from round to round.
    for (const at of isEven ? ([0, 1] as const) : ([1, 0] as const)) {
      const { record, file } = sides[at];
      costs[at].push(await costOf(system, () => record.check(isEven ? file : begin)));
    }
  }
  return [middle(costs[0]), middle(costs[1])];
}

const middle = (costs: readonly LargeCost[]): LargeCost => ({
  ms: median(costs.map(({ ms }) => ms)),
  cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
});
