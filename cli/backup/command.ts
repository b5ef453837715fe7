// The command `backup check`.
import type { Command } from 'commander';
import { withJson } from '../operator/print.ts';

export function addBackupCommands(backup: Command): void {
  withJson(backup.command('check'))
    .description(
      'say whether a restored database is whole and up to when it reaches, before the service starts on it',
    )
    .action(async (options) => (await import('./check.ts')).checkBackup(options));
}
