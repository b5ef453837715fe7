// Creates a webhook. Its secret is shown once.
import type { WebhookEventType } from '../../../core/deliveries.ts';
import { safeText } from '../../../core/text/safe-text.ts';
import { given } from '../calls/given.ts';
import { answer } from '../output/answers.ts';
import { readSettings } from '../records/read-settings.ts';
import { type Given, readOwner, type WebhookOptions, webhooksOf } from './owner.ts';
import { webhookWords } from './words.ts';

interface CreateOptions extends WebhookOptions {
  type: WebhookEventType[];
  description?: string;
  settings?: string;
}

export async function createWebhook(args: readonly Given[], options: CreateOptions): Promise<void> {
  const { record, value: url } = readOwner(args, options, 'the URL of an endpoint');
  const { type, description, settings } = options;
  const settingsGiven = settings === undefined ? {} : await readSettings(settings);
  const chosen = given({ eventTypes: type.length === 0 ? undefined : type, description });
  const body = { ...settingsGiven, ...chosen, url };
  const webhook = await webhooksOf(record).create(body);
  await answer(
    options,
    webhook,
    () => `${webhookWords(webhook)}\nSecret, shown only now: ${safeText(webhook.secret)}`,
  );
}
