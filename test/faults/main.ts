// `npm run faults -- --kills 1000`: disturbs a cluster under load and verifies everything it says. docs/reliability.md tells what
// it does. It works in rounds, whose figures it keeps, so that it continues after an end: `--resume`.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { writeWhole } from '../../cli/process/write-whole.ts';
import { startFaultyCluster } from './cluster.ts';
import { add, type Figures, runRound } from './round.ts';

interface Options {
  kills: number;
  round: number;
  minutes: number;
  seed: number;
  folder: string;
  resume?: true;
}

interface State {
  seed: number;
  kills: number;
  rounds: number;
  figures: Figures;
}

const count = (text: string): number => {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
};

const options: Options = new Command('faults')
  .option('--kills <number>', 'processes that are killed in all', count, 1_000)
  .option('--round <number>', 'kills after which everything is verified', count, 25)
  .option('--minutes <number>', 'begin no round later than this', count, 1_000_000)
  .option('--seed <number>', 'of the random choices', count, 1)
  .option('--folder <path>', 'keeps data, logs and figures', '.recordwatch/faults')
  .option('--resume', 'continue with what the folder has')
  .parse()
  .opts();

const folder = resolve(options.folder);
const stateFile = join(folder, 'state.json');
if (options.resume !== true && existsSync(folder)) {
  console.error(`${folder} has an earlier run. Continue with it by --resume, or delete it.`);
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const state: State = existsSync(stateFile)
  ? // Written by this program.
    JSON.parse(readFileSync(stateFile, 'utf8'))
  : { seed: options.seed, kills: 0, rounds: 0, figures: {} };

const endAtMs = Date.now() + options.minutes * 60_000;
const abort = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => abort.abort(new Error(`${signal}: --resume continues with the last round`)));
}
const cluster = await startFaultyCluster(join(folder, 'home'), { apis: 2, workers: 3, shards: 64 }, abort);
// Its children end with it.
abort.signal.addEventListener('abort', () => void cluster.stop().finally(() => process.exit(1)));
if (cluster.disks.length === 0) console.log('No full disks: this system does not let us mount.');
if (cluster.clocks.size === 0) console.log('No clock steps: Debian’s package libfaketime is not installed.');
try {
  while (state.kills < options.kills && Date.now() < endAtMs) {
    const kills = Math.min(options.round, options.kills - state.kills);
    const seed = state.seed * 10_000 + state.rounds;
    const load = { atOnce: 4, accounts: 3, records: 4, webhooks: 2, checkSeconds: 1.5 };
    const figures = await runRound(cluster, { seed, kills, ...load });
    state.kills += kills;
    state.rounds += 1;
    add(state.figures, figures);
    writeWhole(stateFile, `${JSON.stringify(state, null, 2)}\n`);
    console.log(`${new Date().toISOString()} ${state.kills} of ${options.kills} kills, nothing wrong`);
  }
} finally {
  console.table(Object.fromEntries(Object.entries(state.figures).toSorted(([a], [b]) => a.localeCompare(b))));
  await cluster.stop();
}
