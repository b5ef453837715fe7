// Creates a webhook. Its secret is shown once.
import type { WebhookEventType } from '../../../core/deliveries.ts';
import { connect } from '../access/connect.ts';
import { given } from '../calls/given.ts';
import { answer, type AnswerOptions } from '../output/answers.ts';
import { readSettings } from '../records/read-settings.ts';
import { webhookWords } from './words.ts';

interface CreateOptions extends AnswerOptions {
  type: WebhookEventType[];
  description?: string;
  settings?: string;
}

export async function createWebhook(record: string, url: string, options: CreateOptions): Promise<void> {
  const { type, description, settings } = options;
  const settingsGiven = settings === undefined ? {} : await readSettings(settings);
  const chosen = given({ eventTypes: type.length === 0 ? undefined : type, description });
  const body = { ...settingsGiven, ...chosen, url };
  const webhook = await connect().webhooks.create(record, body);
  await answer(options, webhook, () => `${webhookWords(webhook)}\nSecret, shown only now: ${webhook.secret}`);
}
