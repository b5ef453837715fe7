// The command line of a checkout: the commands for users, and those for operators. Each command loads its code when it is asked
// for.
import type { Command } from 'commander';
import { addAccountCommands } from './account/command.ts';
import { addBackupCommands } from './backup/command.ts';
import { addCapacityCommand } from './capacity/command.ts';
import { addClusterCommand } from './cluster/command.ts';
import { addDeliveryCommands } from './delivery/command.ts';
import { addClientCommands } from './client/command.ts';
import { addKeyCommands } from './key/command.ts';
import { addKeysCommands } from './encryption-keys/command.ts';
import { withJson } from './operator/print.ts';
import { addRecordCommands } from './record/command.ts';
import { settingsHelp } from './start/child-settings.ts';
import { createUserProgram, runCommand } from './user-program.ts';

const OPERATOR_HELP = `
Works on the database that DATABASE_URL names; without it, on the npm start that runs in this folder.
Exit codes: 0 done, 1 failed, 2 invalid arguments, 3 not found.`;

const OPERATOR = 'operator';

/**
 * Runs one command and prints to the console.
 * @param args without the names of node and of the program
 * @returns the exit code
 */
export function runProgram(args: readonly string[]): Promise<number> {
  const program = createUserProgram();
  program.commandsGroup('Others:');
  const operator = program
    .command(OPERATOR)
    .description('run and look after a server; its commands also work without this word');
  addRunningCommands(operator);
  addOperatorCommands(operator);
  const full = isOperators(program, operator, args) ? [OPERATOR, ...args] : args;
  return runCommand(program, full);
}

/** Whether the arguments name a command for operators without the word: `keys rotate` is one, and `keys create` is for users. */
function isOperators(program: Command, operator: Command, [first, second]: readonly string[]): boolean {
  const named = operator.commands.find((command) => command.name() === first);
  const isUsers = program.commands.some((command) => command.name() === first);
  return named !== undefined && (!isUsers || named.commands.some((command) => command.name() === second));
}

function addRunningCommands(program: Command): void {
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
    program
      .command('capacity')
      .description('estimate the resources for a number of records, by measured coefficients'),
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
}

function addOperatorCommands(program: Command): void {
  withJson(program.command('doctor'))
    .description('say what is wrong now, and what to do about it (for the operator)')
    .addHelpText(
      'after',
      '\nExit codes: 0 all is well, 1 there are warnings, 2 there are problems, or it failed itself.',
    )
    .action(async (options) => (await import('./doctor/doctor.ts')).doctor(options));

  addBackupCommands(program.command('backup').description('check a restored backup (for the operator)'));
  addAccountCommands(
    program.command('account').description('create, show, change and delete accounts (for the operator)'),
  );
  addClientCommands(
    program
      .command('client')
      .description('list and disconnect MCP clients that users authorized (for the operator)'),
  );
  addKeyCommands(program.command('key').description('make, list and revoke API keys (for the operator)'));
  addKeysCommands(
    program.command('keys').description('change the keys that seal secrets (for the operator)'),
  );
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
}
