// The commands `account …`.
import type { Command } from 'commander';
import { withJson } from '../operator/print.ts';
import { idReader, readLimit } from '../operator/read-arguments.ts';

const readAccountId = idReader('account', 'acc_0199c1e2f3a47c5d9e8f7a6b5c4d3e2f');

export function addAccountCommands(account: Command): void {
  withJson(account.command('create'))
    .description('make an account with its first API key (scope full), which is shown this once')
    .requiredOption('--name <name>', 'whose it is')
    .option('--key-name <name>', 'what the key is called', 'first key')
    .action(async (options) => (await import('./create.ts')).create(options));

  withJson(account.command('show'))
    .description('show one account, with its newest records')
    .argument('<account>', 'its id', readAccountId)
    .action(async (id, options) => (await import('./show.ts')).show(id, options));

  withJson(account.command('list'))
    .description('list accounts, newest first; those of anonymous sessions are left out')
    .option('--limit <number>', 'how many', readLimit, 50)
    .option('--after <account>', 'only those made before this one', readAccountId)
    .action(async (options) => (await import('./list.ts')).list(options));

  withJson(account.command('sign-in-link'))
    .description('print a link that signs in to the dashboard as the account’s user, once, within an hour')
    .argument('<account>', 'its id', readAccountId)
    .action(async (id, options) => (await import('./sign-in-link.ts')).signInLink(id, options));

  withJson(account.command('set-mail'))
    .description('give the account’s user another email address, and end their sessions and links')
    .argument('<account>', 'its id', readAccountId)
    .argument('<email>', 'the new address; no mail is sent to confirm it')
    .action(async (id, email, options) => (await import('./set-mail.ts')).setMail(id, email, options));

  withJson(account.command('delete'))
    .description('delete an account with all that it holds; asks for its id first')
    .argument('<account>', 'its id', readAccountId)
    .option('--yes', 'delete it without asking')
    .action(async (id, options) => (await import('./delete.ts')).deleteAccount(id, options));
}
