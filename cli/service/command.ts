// The commands that talk to a running service through its HTTP API.
import type { Command } from 'commander';
import { addAccessCommands } from './access/command.ts';
import { addTailCommand } from './changes/command.ts';
import { misuse } from '../operator/fail.ts';
import { addKeysCommands } from './keys/command.ts';
import { addListenCommands } from './listen/command.ts';
import { addRecordsCommands } from './records/command.ts';
import { addRowsCommands } from './rows/command.ts';
import { addWebhooksCommands } from './webhooks/command.ts';

const HELP = `
Exit codes: 0 done, 1 failed, 2 invalid arguments or not logged in, 3 not found, 4 the key is refused or may not do this.`;

export function addServiceCommands(program: Command): void {
  const before = program.commands.length;
  addAccessCommands(program);
  addRecordsCommands(program);
  addTailCommand(program);
  addRowsCommands(program);
  addWebhooksCommands(program);
  addKeysCommands(program);
  addListenCommands(program);
  const own = program.commands.slice(before);
  for (const command of own.flatMap((each) => [each, ...each.commands])) {
    command.addHelpText('after', HELP);
    command.hook('preAction', refuseEmpty);
  }
}

/** As from a variable that is not set: such a command names nothing. */
function refuseEmpty(_group: Command, { args, registeredArguments }: Command): void {
  const empty = registeredArguments[args.indexOf('')];
  if (empty !== undefined) throw misuse(`<${empty.name()}> must not be empty.`);
}
