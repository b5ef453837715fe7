// Enables, disables, tests and deletes a webhook.
import type { Delivery } from '../../../clients/typescript/src/models.ts';
import type { WebhookEventType } from '../../../core/deliveries.ts';
import { EXIT } from '../../operator/fail.ts';
import { connect } from '../access/connect.ts';
import { answer, type AnswerOptions } from '../output/answers.ts';
import { confirm } from '../output/confirm.ts';
import { webhookWords } from './words.ts';

export async function switchWebhook(
  record: string,
  id: string,
  enabled: boolean,
  options: AnswerOptions,
): Promise<void> {
  const webhook = await connect().webhooks.update(record, id, { enabled });
  await answer(options, webhook, () => webhookWords(webhook));
}

interface TestOptions extends AnswerOptions {
  type: WebhookEventType;
  wait: number;
}

export async function testWebhook(record: string, id: string, options: TestOptions): Promise<void> {
  const { type, wait } = options;
  const delivery = await connect().webhooks.test(record, id, { eventType: type }, { waitSeconds: wait });
  await answer(options, delivery, () => deliveryWords(delivery));
  if (delivery.status === 'failed') process.exitCode = EXIT.failed;
}

function deliveryWords({ id, status, attempts }: Delivery): string {
  const last = attempts.at(-1);
  const how = last === undefined ? '' : `: ${last.errorCode ?? last.statusCode}, ${last.durationMs} ms`;
  return `${id} ${status}${how}`;
}

export async function deleteWebhook(
  record: string,
  id: string,
  options: AnswerOptions & { yes?: true },
): Promise<void> {
  const { webhooks } = connect();
  const { url } = await webhooks.get(record, id);
  await confirm(`Delete the webhook ${id} (${new URL(url).host}) with its deliveries?`, options.yes);
  await webhooks.delete(record, id);
  await answer(options, { id, deleted: true }, () => `Deleted ${id}.`);
}
