// The commands `client …`.
import type { Command } from 'commander';
import { withJson } from '../operator/print.ts';
import { idReader, readLimit } from '../operator/read-arguments.ts';

const readAccountId = idReader('account', 'acc_0199c1e2f3a47c5d9e8f7a6b5c4d3e2f');
const readClientId = idReader('connectedClient', 'con_0199c1e2f3a47c5d9e8f7a6b5c4d3e2f');

export function addClientCommands(client: Command): void {
  withJson(client.command('list'))
    .description('list the MCP clients that are connected to an account, newest first')
    .argument('<account>', 'id of the account', readAccountId)
    .option('--limit <number>', 'how many', readLimit, 200)
    .action(async (accountId, options) => (await import('./list.ts')).list(accountId, options));

  withJson(client.command('revoke'))
    .description('disconnect an MCP client: its tokens stop working at once')
    .argument('<client>', 'id of the connection', readClientId)
    .action(async (id, options) => (await import('./revoke.ts')).revoke(id, options));
}
