// The commands `records …` and `show`.
import { type Command, Option } from 'commander';
import { readCount } from '../../diff/command.ts';
import { withReadingOptions } from '../../diff/reading-options.ts';
import { readSeconds } from '../../watch/command.ts';
import { collect, WAIT_SECONDS } from '../output/option-values.ts';
import { withJson } from '../output/answers.ts';
import type { ListOptions } from './list.ts';

const CREATE_HELP = `
--settings takes what has no option, with the names of the API, such as the credentials of a protected origin:

  echo '{"authType": "bearer", "authToken": "…"}' | recordwatch records create https://… --settings -`;

export function addRecordsCommands(program: Command): void {
  const records = program
    .command('records')
    .description('list, create and change the records of your account');
  withJson(records.command('list', { isDefault: true }))
    .description('list records, newest first')
    .option('--label <name:value>', 'only records with this label; may be repeated', collect, [])
    .option('--search <text>', 'only records with this text in their name, slug or URL')
    .addOption(new Option('--status <status>', 'only these').choices(['active', 'paused']))
    .option('--failing', 'only records whose latest checks failed')
    .addOption(
      new Option('--sort <order>', 'by what to sort').choices(['created', 'name', 'health', 'lastChange']),
    )
    .option('--limit <number>', 'at most this many records; 0: all', readCount, 100)
    .action(async (options: ListOptions) => (await import('./list.ts')).listRecords(options));

  withJson(withReadingOptions(records.command('create')))
    .description('begin to watch a URL, and wait for the first check')
    .argument('<url>', 'the table')
    .option('--name <name>', 'what people call it')
    .option('--slug <slug>', 'what commands and URLs call it')
    .option('--every <time>', 'the time between two checks, such as 90m or 1d', readSeconds)
    .option('--label <name:value>', 'a label; may be repeated', collect, [])
    .option('--settings <file>', 'a file of JSON with further settings; - for standard input')
    .option('--wait <seconds>', 'how long to wait for the first check', readCount, WAIT_SECONDS)
    .addHelpText('after', CREATE_HELP)
    .action(async (url: string, options) => (await import('./create.ts')).createRecord(url, options));

  for (const [action, words] of [
    ['pause', 'stop checking a record until it is resumed'],
    ['resume', 'resume a paused record, with a check at once'],
  ] as const) {
    withJson(records.command(action))
      .description(words)
      .argument('<record>', RECORD)
      .action(async (record: string, options) =>
        (await import('./act.ts')).switchRecord(record, action, options),
      );
  }

  withJson(records.command('check'))
    .description('check a record now')
    .argument('<record>', RECORD)
    .option('--wait <seconds>', 'how long to wait for the result', readCount, WAIT_SECONDS)
    .addHelpText('after', '\nExit code 1: the check failed or is held.')
    .action(async (record: string, options) => (await import('./act.ts')).checkRecord(record, options));

  withJson(records.command('delete'))
    .description('delete a record with all of its history')
    .argument('<record>', RECORD)
    .option('--yes', 'do not ask')
    .action(async (record: string, options) => (await import('./act.ts')).deleteRecord(record, options));

  withJson(program.command('show'))
    .description('show one record')
    .argument('<record>', RECORD)
    .action(async (record: string, options) => (await import('./show.ts')).showRecord(record, options));
}

export const RECORD = 'its slug or id; self: the one record of a key';
