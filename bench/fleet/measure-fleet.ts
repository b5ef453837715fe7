// Measures checks a second of a fleet whose bodies never change, beside the same fleet with empty activities.
import { Client, Connection } from '@temporalio/client';
import type { BenchOrigin } from '../origin.ts';
import { median } from '../statistics.ts';
import type { System } from '../system.ts';
import { openEmptyFleet } from './empty-fleet.ts';
import { measureRate, type Rate } from './measure-rate.ts';
import { openRealFleet } from './real-fleet.ts';

export const REAL_MODES = ['not-modified', 'same-bytes'] as const;
type Mode = (typeof REAL_MODES)[number] | 'empty';

type RealMode = (typeof REAL_MODES)[number];

export interface FleetResult {
  /** One rate for each round. */
  rates: Record<Mode, Rate[]>;
  comparisons: Record<RealMode, Comparison>;
}

/** The real fleet beside the empty one. */
interface Comparison {
  /** Checks a second of the one to those of the other, the median of the rounds. */
  rateRatio: number;
  /** Processor time per check, the second system's divided by the first's. Other work on the machine changes it little. */
  cpuRatio: number;
  /** Rounds that count: those without other work on the machine, or all when there was none. */
  rounds: number;
  isDisturbed: boolean;
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
  const comparisons = {
    'not-modified': compare(rates['not-modified'], rates.empty),
    'same-bytes': compare(rates['same-bytes'], rates.empty),
  };
  return { rates, comparisons };
}

/** Cores that neighbours may use before a round says more of them than of us. */
const QUIET_CORES = 0.3;

function compare(real: readonly Rate[], empty: readonly Rate[]): Comparison {
  const pairs = real.flatMap((rate, round) => {
    const base = empty[round];
    return base === undefined ? [] : [{ rate, base }];
  });
  const isQuiet = ({ cores }: Rate) => (cores['others'] ?? 0) < QUIET_CORES;
  const quiet = pairs.filter(({ rate, base }) => isQuiet(rate) && isQuiet(base));
  const counted = quiet.length > 0 ? quiet : pairs;
  return {
    rateRatio: median(counted.map(({ rate, base }) => rate.checksPerSecond / base.checksPerSecond)),
    cpuRatio: median(counted.map(({ rate, base }) => base.cpuMsPerCheck / rate.cpuMsPerCheck)),
    rounds: counted.length,
    isDisturbed: quiet.length === 0,
  };
}
