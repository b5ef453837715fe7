// Enables, disables, tests and deletes a webhook.
import type { Delivery } from '../../../clients/typescript/src/models.ts';
import type { WebhookEventType } from '../../../core/deliveries.ts';
import { EXIT } from '../../operator/fail.ts';
import { safeText } from '../../../core/text/safe-text.ts';
import { answer } from '../output/answers.ts';
import { confirm } from '../output/confirm.ts';
import { type Given, readOwner, type WebhookOptions, webhooksOf } from './owner.ts';
import { webhookWords } from './words.ts';

const WHAT = 'the id of a webhook';

export async function switchWebhook(
  given: readonly Given[],
  enabled: boolean,
  options: WebhookOptions,
): Promise<void> {
  const { record, value: id } = readOwner(given, options, WHAT);
  const webhook = await webhooksOf(record).switch(id, enabled);
  await answer(options, webhook, () => webhookWords(webhook));
}

interface TestOptions extends WebhookOptions {
  type: WebhookEventType;
  wait: number;
}

export async function testWebhook(given: readonly Given[], options: TestOptions): Promise<void> {
  const { record, value: id } = readOwner(given, options, WHAT);
  const delivery = await webhooksOf(record).test(id, { eventType: options.type }, options.wait);
  await answer(options, delivery, () => safeText(deliveryWords(delivery)));
  if (delivery.status === 'failed') process.exitCode = EXIT.failed;
}

function deliveryWords({ id, status, attempts }: Delivery): string {
  const last = attempts.at(-1);
  const how = last === undefined ? '' : `: ${last.errorCode ?? last.statusCode}, ${last.durationMs} ms`;
  return `${id} ${status}${how}`;
}

export async function deleteWebhook(
  given: readonly Given[],
  options: WebhookOptions & { yes?: true },
): Promise<void> {
  const { record, value: id } = readOwner(given, options, WHAT);
  const webhooks = webhooksOf(record);
  const { url } = await webhooks.get(id);
  await confirm(
    `Delete the webhook ${id} (${URL.parse(url)?.host || url}) with its deliveries?`,
    options.yes,
  );
  await webhooks.delete(id);
  await answer(options, { id, deleted: true }, () => `Deleted ${id}.`);
}
