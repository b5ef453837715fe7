// The commands `login`, `logout` and `whoami`.
import { type Command, Option } from 'commander';
import { withJson } from '../output/answers.ts';

const LOGIN_HELP = `
It shows a code and a link to the dashboard, where you allow the login. The service then makes an API key for this machine,
which is stored in a file that only you can read. RECORDWATCH_URL and RECORDWATCH_API_KEY take the place of what is stored.
A key is sent over http:// to this machine only, unless --allow-http is given or RECORDWATCH_ALLOW_HTTP is 1.
With --paste it asks for a key that you have made in the dashboard. In scripts:

  recordwatch login --url https://recordwatch.example.com --with-token < key-file`;

export function addAccessCommands(program: Command): void {
  withJson(program.command('login'))
    .description('log in to a service: get an API key for the commands below')
    .option('--url <url>', 'the address of the service')
    .option('--no-browser', 'open no browser: you open the link, on any machine')
    .addOption(new Option('--paste', 'ask for a key that you paste').conflicts('withToken'))
    .option('--with-token', 'read the key from standard input')
    .option('--allow-http', 'send the key unencrypted, in a network that you trust')
    .addHelpText('after', LOGIN_HELP)
    .action(async (options) => (await import('./login.ts')).login(options));

  withJson(program.command('logout'))
    .description('delete the stored key from this machine')
    .action(async (options) => (await import('./logout.ts')).logout(options));

  withJson(program.command('whoami'))
    .description('show which service and key are used, and what the key may do')
    .action(async (options) => (await import('./whoami.ts')).whoami(options));
}
