// The commands `keys …`, about API keys.
import { type Command, Option } from 'commander';
import { withJson } from '../output/answers.ts';

const OF_RECORD = 'keys of one record, instead of those of the account';

export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('list, create and revoke API keys');
  withJson(keys.command('list', { isDefault: true }))
    .description('list API keys')
    .option('--record <record>', OF_RECORD)
    .action(async (options) => (await import('./keys.ts')).listKeys(options));

  withJson(keys.command('create'))
    .description('create an API key, and print it once')
    .argument('<name>', 'what it is for')
    .addOption(
      new Option('--scope <scope>', 'what it may do').choices(['full', 'read', 'download']).default('read'),
    )
    .option('--record <record>', 'a key for this record alone')
    .option('--expires <time>', 'when it ends, such as 2027-01-31T00:00:00Z')
    .action(async (name: string, options) => (await import('./keys.ts')).createKey(name, options));

  withJson(keys.command('revoke'))
    .description('revoke an API key, at once and for good')
    .argument('<key>', 'its id, key_…')
    .option('--record <record>', OF_RECORD)
    .option('--yes', 'do not ask')
    .action(async (id: string, options) => (await import('./keys.ts')).revokeKey(id, options));
}
