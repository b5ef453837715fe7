// The commands `webhooks …`.
import { type Command, Option } from 'commander';
import { WEBHOOK_EVENT_TYPES } from '../../../core/deliveries.ts';
import { readCount } from '../../diff/command.ts';
import { withJson } from '../output/answers.ts';
import { repeatable, WAIT_SECONDS } from '../output/option-values.ts';
import { RECORD } from '../records/command.ts';
import type { Given } from './owner.ts';

const WEBHOOK = 'its id, wh_…';
const TYPES = [...WEBHOOK_EVENT_TYPES];

export function addWebhooksCommands(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('list, create, test and delete webhooks of a record or of the account');
  withJson(webhooks.command('list', { isDefault: true }))
    .description('list the webhooks of a record, or those of the account')
    .argument('[record]', RECORD)
    .action(async (record: string | undefined, options) =>
      (await import('./list.ts')).listWebhooks(record, options),
    );

  withOwner(webhooks.command('create'), 'url', 'the endpoint')
    .description('send changes to an endpoint; prints the signing secret once')
    .addOption(repeatable('--type <type>', 'an event to send, by default delta', TYPES))
    .option('--description <text>', 'what it is for')
    .option('--settings <file>', 'a file of JSON with further settings of the API; - for standard input')
    .action(async (first: Given, second: Given, options) =>
      (await import('./create.ts')).createWebhook([first, second], options),
    );

  for (const [name, isEnabled, words] of [
    ['enable', true, 'send events to a webhook again'],
    ['disable', false, 'send nothing to a webhook until it is enabled'],
  ] as const) {
    withOwner(webhooks.command(name), 'webhook', WEBHOOK)
      .description(words)
      .action(async (first: Given, second: Given, options) =>
        (await import('./act.ts')).switchWebhook([first, second], isEnabled, options),
      );
  }

  withOwner(webhooks.command('test'), 'webhook', WEBHOOK)
    .description('let the service send an example to a webhook')
    .addOption(new Option('--type <type>', 'the event').choices(TYPES).default('delta'))
    .option('--wait <seconds>', 'how long to wait for the result', readCount, WAIT_SECONDS)
    .action(async (first: Given, second: Given, options) =>
      (await import('./act.ts')).testWebhook([first, second], options),
    );

  withOwner(webhooks.command('delete'), 'webhook', WEBHOOK)
    .description('delete a webhook with its deliveries')
    .option('--yes', 'do not ask')
    .action(async (first: Given, second: Given, options) =>
      (await import('./act.ts')).deleteWebhook([first, second], options),
    );
}

/** `<record> <what>`, or `--account <what>`. */
const withOwner = (command: Command, what: string, explained: string): Command =>
  withJson(command)
    .argument('[record]', `${RECORD}; none with --account`)
    .argument(`[${what}]`, explained)
    .option('--account', 'a webhook of the account, instead of one record');
