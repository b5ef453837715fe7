#!/usr/bin/env node
// The command line: `recordwatch <command>`. Each command loads its code when it is asked for.
import { Command } from 'commander';
import { addAccountCommands } from './account/command.ts';
import { addBackupCommands } from './backup/command.ts';
import { addCapacityCommand } from './capacity/command.ts';
import { addClusterCommand } from './cluster/command.ts';
import { addDeliveryCommands } from './delivery/command.ts';
import { addClientCommands } from './client/command.ts';
import { addKeyCommands } from './key/command.ts';
import { addKeysCommands } from './keys/command.ts';
import { exitOf } from './operator/fail.ts';
import { withJson } from './operator/print.ts';
import { addRecordCommands } from './record/command.ts';
import { settingsHelp } from './start/child-settings.ts';

const OPERATOR_HELP = `
Works on the database that DATABASE_URL names; without it, on the npm start that runs in this folder.
Exit codes: 0 done, 1 failed, 2 not understood, 3 no such thing.`;

const program = new Command('recordwatch')
  .description('Watches records and says exactly which rows changed.')
  .exitOverride();

program
  .command('start')
  .description('run everything on this machine, with a demonstration record')
  .addHelpText('after', settingsHelp())
  .action(async () => (await import('./start/command.ts')).startCommand('start'));

program
  .command('dev')
  .description('the same, restarting API and worker and reloading the dashboard when a file is saved')
  .action(async () => (await import('./start/command.ts')).startCommand('dev'));

addClusterCommand(
  program
    .command('cluster')
    .description('run the production shape on this machine: Temporal on PostgreSQL, an S3 server, a proxy'),
);

addCapacityCommand(
  program.command('capacity').description('say what a number of records takes, by measured coefficients'),
);

program
  .command('build')
  .description('build the dashboard, unless its files are of these sources')
  .action(async () => (await import('./build/command.ts')).buildCommand());

program
  .command('migrate')
  .description('bring the database that DATABASE_URL names to the schema of this version')
  .action(async () => (await import('./migrate/command.ts')).migrateCommand());

program
  .command('temporal')
  .description('print path and version of the Temporal server, making it first where needed')
  .action(async () => (await import('./temporal/command.ts')).temporalCommand());

withJson(program.command('doctor'))
  .description('say what is wrong now, and what to do about it (for the operator)')
  .addHelpText('after', '\nExit codes: 0 all is well, 1 there are warnings, 2 there are problems.')
  .action(async (options) => (await import('./doctor/doctor.ts')).doctor(options));

addBackupCommands(program.command('backup').description('check a restored backup (for the operator)'));
addAccountCommands(
  program.command('account').description('create, show, change and delete accounts (for the operator)'),
);
addClientCommands(
  program
    .command('client')
    .description('list and disconnect MCP clients that OAuth let in (for the operator)'),
);
addKeyCommands(program.command('key').description('make, list and revoke API keys (for the operator)'));
addKeysCommands(program.command('keys').description('change the keys that seal secrets (for the operator)'));
addRecordCommands(
  program.command('record').description('show records and set their tiers (for the operator)'),
);
addDeliveryCommands(
  program.command('delivery').description('show and repeat deliveries to webhooks (for the operator)'),
);

for (const group of program.commands.filter(({ commands }) => commands.length > 0)) {
  group.addHelpText('after', OPERATOR_HELP);
  for (const command of group.commands) command.addHelpText('after', OPERATOR_HELP);
}

try {
  await program.parseAsync();
} catch (error) {
  const { code, isShown } = exitOf(error);
  if (!isShown) console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = code;
}
