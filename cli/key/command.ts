// The commands `key …`.
import { type Command, Option } from 'commander';
import { SCOPES } from '../../core/principal.ts';
import { withJson } from '../operator/print.ts';
import { idReader, readLimit } from '../operator/read-arguments.ts';

const readAccountId = idReader('account', 'acc_0199c1e2f3a47c5d9e8f7a6b5c4d3e2f');
const readKeyId = idReader('apiKey', 'key_0199c1e2f3a47c5d9e8f7a6b5c4d3e2f');
const RECORD = 'id or slug of one record of the account';

export function addKeyCommands(key: Command): void {
  withJson(key.command('create'))
    .description('make an API key on any tier; it is shown only now')
    .argument('<account>', 'id of the account', readAccountId)
    .requiredOption('--name <name>', 'what it is for')
    .addOption(
      new Option('--scope <scope>', 'what it permits')
        .choices([...SCOPES].toReversed())
        .makeOptionMandatory(),
    )
    .option('--record <record>', `${RECORD}: the only one that the key reaches`)
    .option('--expires <time>', 'when it stops working by itself, such as 2027-01-31T12:00:00Z')
    .action(async (accountId, options) => (await import('./create.ts')).create(accountId, options));

  withJson(key.command('list'))
    .description('list API keys, newest first, including revoked and expired ones')
    .argument('<account>', 'id of the account', readAccountId)
    .option('--record <record>', `${RECORD}: its keys, in place of the account's`)
    .option('--limit <number>', 'how many', readLimit, 200)
    .action(async (accountId, options) => (await import('./list.ts')).list(accountId, options));

  withJson(key.command('revoke'))
    .description('revoke an API key: it stops working at once, for good')
    .argument('<key>', 'its id (not the key itself)', readKeyId)
    .action(async (id, options) => (await import('./revoke.ts')).revoke(id, options));
}
