// The commands `keys …`, about the keys that seal secrets. API keys have the commands `key …`.
import type { Command } from 'commander';
import { withJson } from '../operator/print.ts';

export function addKeysCommands(keys: Command): void {
  withJson(keys.command('rotate'))
    .description(
      'seal every data key under the first of KEY_ENCRYPTION_KEYS, while the service runs; repeat it after an interruption',
    )
    .option('--dry-run', 'only count')
    .action(async (options) => (await import('./rotate.ts')).rotate(options));
}
