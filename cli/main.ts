// The command line: `recordwatch <command>`. Each command loads its code when it is asked for.
import { Command } from 'commander';
import { settingsHelp } from './start/settings-help.ts';

const program = new Command('recordwatch').description(
  'Watches records and says exactly which rows changed.',
);

program
  .command('start')
  .description('run everything on this machine, with a demonstration record')
  .addHelpText('after', settingsHelp())
  .action(async () => (await import('./start/command.ts')).startCommand());

program
  .command('migrate')
  .description('bring the database that DATABASE_URL names to the schema of this version')
  .action(async () => (await import('./migrate/command.ts')).migrateCommand());

program
  .command('temporal')
  .description('print path and version of the Temporal server, making it first where needed')
  .action(async () => (await import('./temporal/command.ts')).temporalCommand());

try {
  await program.parseAsync();
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
