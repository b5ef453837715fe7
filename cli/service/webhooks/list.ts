// Lists the webhooks of a record, or of the account.
import { answer, type AnswerOptions, table } from '../output/answers.ts';
import { webhooksOf } from './owner.ts';
import { stateOf } from './words.ts';

const HEADINGS = ['WEBHOOK', 'STATE', 'EVENTS', 'URL'];

/** @param record undefined: the account */
export async function listWebhooks(record: string | undefined, options: AnswerOptions): Promise<void> {
  const webhooks = await webhooksOf(record).list();
  const rows = webhooks.map((each) => [each.id, stateOf(each), each.eventTypes.join(', '), each.url]);
  const owner = record === undefined ? 'account' : 'record';
  await answer(options, { count: webhooks.length, webhooks }, () =>
    table(HEADINGS, rows, `The ${owner} has no webhooks.`),
  );
}
