// The command `cluster`.
import { type Command, InvalidArgumentError } from 'commander';
import { SETTINGS } from '../../core/config.ts';
import type { ClusterOptions } from './cluster.ts';

export const DEFAULT_SHARDS = 512;
/** Beside the data of `npm start`, whose Temporal server keeps other workflows. */
const HOME = '.recordwatch/cluster';

export function addClusterCommand(command: Command): void {
  command
    .option('--apis <number>', 'APIs behind the proxy', atLeastOne, 2)
    .option('--workers <number>', 'workers', atLeastOne, 3)
    .option(
      '--shards <number>',
      'history shards of Temporal, fixed by the first start',
      atLeastOne,
      DEFAULT_SHARDS,
    )
    .option(
      '--tls <folder>',
      'certificates with which Temporal asks for mTLS: ca.pem, server.pem, client.pem and keys',
    )
    .action(async (options: ClusterOptions) => {
      const { startCommand } = await import('../start/command.ts');
      const { clusterPlan } = await import('./cluster.ts');
      process.env[SETTINGS.home.name] ||= HOME;
      await startCommand('start', clusterPlan(options));
    });
}

function atLeastOne(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}
