// Checks a second of a fleet whose bodies never change, beside the same fleet with activities that do nothing.
import { Client, Connection } from '@temporalio/client';
import type { BenchOrigin } from '../origin.ts';
import { median } from '../statistics.ts';
import type { System } from '../system.ts';
import { openEmptyFleet } from './empty-fleet.ts';
import { measureRate, type Rate } from './measure-rate.ts';
import { openRealFleet } from './real-fleet.ts';

export const REAL_MODES = ['not-modified', 'same-bytes'] as const;
type Mode = (typeof REAL_MODES)[number] | 'empty';

export interface FleetResult {
  /** One rate for each round. */
  rates: Record<Mode, Rate[]>;
  /** Of the real fleet to the empty one, the median of the rounds. */
  ratios: Record<(typeof REAL_MODES)[number], number>;
}

/** The rounds follow each other, so that what changes slowly (a database that grows, a busy neighbour) meets all. */
export async function measureFleet(
  system: System,
  origin: BenchOrigin,
  rounds: number,
  report: (text: string) => void,
): Promise<FleetResult> {
  const connection = await Connection.connect({ address: system.dev.temporalAddress });
  const temporal = new Client({ connection, namespace: system.dev.temporalNamespace });
  const empty = await openEmptyFleet(system, connection);
  const real = await openRealFleet(system, temporal, origin.url);
  const rates: FleetResult['rates'] = { empty: [], 'not-modified': [], 'same-bytes': [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const mode of ['empty', ...REAL_MODES] as const) {
      if (mode !== 'empty') origin.serve(mode);
      const rate = await measureRate(system, mode === 'empty' ? empty : real);
      const { checksPerSecond, cpuMsPerCheck, cores } = rate;
      const others = (cores['others'] ?? 0).toFixed(2);
      report(
        `fleet, round ${round}, ${mode}: ${checksPerSecond.toFixed(1)} checks/s, ${cpuMsPerCheck.toFixed(1)} ms of CPU each; ${others} cores used by others`,
      );
      // The first round fills caches and takes the baselines.
      if (round > 0) rates[mode].push(rate);
    }
  }
  await empty.close();
  await connection.close();
  const ratio = (mode: (typeof REAL_MODES)[number]) => {
    const pairs = rates[mode].map((rate, round) => [rate, rates.empty[round]] as const);
    return median(pairs.map(([rate, base]) => rate.checksPerSecond / (base?.checksPerSecond ?? Number.NaN)));
  };
  return { rates, ratios: { 'not-modified': ratio('not-modified'), 'same-bytes': ratio('same-bytes') } };
}
