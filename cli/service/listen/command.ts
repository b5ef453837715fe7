// The commands `listen` and `trigger`.
import { Argument, type Command, Option } from 'commander';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../../core/deliveries.ts';
import { withJson, withJsonLines } from '../output/answers.ts';
import { collect, CONDITION, repeatable } from '../output/option-values.ts';
import { RECORD } from '../records/command.ts';
import { FEED_TYPES } from '../changes/feed-types.ts';

const LISTEN_HELP = `
Your receiver gets what a webhook of the service would send: the same body, signed as Standard Webhooks with a secret that
“listen” prints and keeps. An event is sent once: --replay sends it again, with the same webhook-id.

  recordwatch listen --forward-to localhost:3000/hook
  recordwatch listen --forward-to localhost:3000/hook --replay evt_…
  recordwatch trigger delta --forward-to localhost:3000/hook`;

const TO = 'the URL on this machine, such as localhost:3000/hook';
const REMOTE = 'let --forward-to name another machine';

export function addListenCommands(program: Command): void {
  withJsonLines(program.command('listen'))
    .description('forward events to a webhook receiver on this machine, as they come')
    .argument('[records...]', RECORD)
    .option('--forward-to <url>', TO)
    .addOption(repeatable('--type <type>', 'only these events', FEED_TYPES))
    .option('--label <name:value>', 'only records with this label; may be repeated', collect, [])
    .option('--condition <json>', CONDITION)
    .option('--since <cursor>', 'begin after this cursor of the feed', 'now')
    .addOption(
      new Option('--replay <event>', 'send one event again, by its id, and end').conflicts([
        'type',
        'label',
        'condition',
        'since',
      ]),
    )
    .option('--print-secret', 'print the signing secret, and end')
    .option('--allow-remote', REMOTE)
    .addHelpText('after', LISTEN_HELP)
    .action(async (records: string[], options) => (await import('./listen.ts')).listen(records, options));

  withJson(program.command('trigger'))
    .description('send an example of an event to a webhook receiver on this machine')
    .addArgument(new Argument('[type]', 'the event').choices(WEBHOOK_EVENT_TYPES).default('delta'))
    .requiredOption('--forward-to <url>', TO)
    .option('--allow-remote', REMOTE)
    .action(async (type: WebhookEventType, options) => (await import('./trigger.ts')).trigger(type, options));
}
