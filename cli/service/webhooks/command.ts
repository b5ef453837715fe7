// The commands `webhooks …`.
import { type Command, Option } from 'commander';
import { WEBHOOK_EVENT_TYPES } from '../../../core/deliveries.ts';
import { readCount } from '../../diff/command.ts';
import { withJson } from '../output/answers.ts';
import { repeatable, WAIT_SECONDS } from '../output/option-values.ts';
import { RECORD } from '../records/command.ts';

const WEBHOOK = 'its id, wh_…';
const TYPES = [...WEBHOOK_EVENT_TYPES];

export function addWebhooksCommands(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('list, create, test and delete the webhooks of a record');
  withJson(webhooks.command('list', { isDefault: true }))
    .description('list the webhooks of a record')
    .argument('<record>', RECORD)
    .action(async (record: string, options) => (await import('./list.ts')).listWebhooks(record, options));

  withJson(webhooks.command('create'))
    .description('send the changes of a record to an endpoint; prints the signing secret once')
    .argument('<record>', RECORD)
    .argument('<url>', 'the endpoint')
    .addOption(repeatable('--type <type>', 'an event to send, by default delta', TYPES))
    .option('--description <text>', 'what it is for')
    .option('--settings <file>', 'a file of JSON with further settings of the API; - for standard input')
    .action(async (record: string, url: string, options) =>
      (await import('./create.ts')).createWebhook(record, url, options),
    );

  for (const [name, isEnabled, words] of [
    ['enable', true, 'send events to a webhook again'],
    ['disable', false, 'send nothing to a webhook until it is enabled'],
  ] as const) {
    withJson(webhooks.command(name))
      .description(words)
      .argument('<record>', RECORD)
      .argument('<webhook>', WEBHOOK)
      .action(async (record: string, id: string, options) =>
        (await import('./act.ts')).switchWebhook(record, id, isEnabled, options),
      );
  }

  withJson(webhooks.command('test'))
    .description('let the service send an example to a webhook')
    .argument('<record>', RECORD)
    .argument('<webhook>', WEBHOOK)
    .addOption(new Option('--type <type>', 'the event').choices(TYPES).default('delta'))
    .option('--wait <seconds>', 'how long to wait for the result', readCount, WAIT_SECONDS)
    .action(async (record: string, id: string, options) =>
      (await import('./act.ts')).testWebhook(record, id, options),
    );

  withJson(webhooks.command('delete'))
    .description('delete a webhook with its deliveries')
    .argument('<record>', RECORD)
    .argument('<webhook>', WEBHOOK)
    .option('--yes', 'do not ask')
    .action(async (record: string, id: string, options) =>
      (await import('./act.ts')).deleteWebhook(record, id, options),
    );
}
