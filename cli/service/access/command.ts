// The commands `login`, `logout` and `whoami`.
import type { Command } from 'commander';
import { withJson } from '../output/answers.ts';

const LOGIN_HELP = `
Make a key in the dashboard, and paste it here. It is stored in a file that only you can read. RECORDWATCH_URL and
RECORDWATCH_API_KEY take the place of what is stored. In scripts:

  recordwatch login --url https://recordwatch.example.com --with-token < key-file`;

export function addAccessCommands(program: Command): void {
  withJson(program.command('login'))
    .description('store an API key for the commands below')
    .option('--url <url>', 'the address of the service')
    .option('--with-token', 'read the key from standard input')
    .option('--allow-http', 'send the key unencrypted, in a network that you trust')
    .addHelpText('after', LOGIN_HELP)
    .action(async (options) => (await import('./login.ts')).login(options));

  withJson(program.command('logout'))
    .description('delete the stored key from this machine')
    .action(async (options) => (await import('./logout.ts')).logout(options));

  withJson(program.command('whoami'))
    .description('tell which service and key are used, and what the key may do')
    .action(async (options) => (await import('./whoami.ts')).whoami(options));
}
