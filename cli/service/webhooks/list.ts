// Lists a record's webhooks.
import { connect } from '../access/connect.ts';
import { answer, type AnswerOptions, table } from '../output/answers.ts';
import { stateOf } from './words.ts';

const HEADINGS = ['WEBHOOK', 'STATE', 'EVENTS', 'URL'];

export async function listWebhooks(record: string, options: AnswerOptions): Promise<void> {
  const webhooks = await connect().webhooks.list(record).toArray();
  const rows = webhooks.map((each) => [each.id, stateOf(each), each.eventTypes.join(', '), each.url]);
  await answer(options, { count: webhooks.length, webhooks }, () =>
    table(HEADINGS, rows, 'The record has no webhooks.'),
  );
}
