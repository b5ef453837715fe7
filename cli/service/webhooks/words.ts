// A webhook in words.
import type { AccountWebhook } from '../../../clients/typescript/src/models.ts';
import { facts, shownTime } from '../output/answers.ts';
import type { AnyWebhook } from './owner.ts';

export function stateOf({ enabled, failingSince }: AnyWebhook): string {
  if (!enabled) return 'disabled';
  return failingSince === null ? 'enabled' : `failing since ${shownTime(failingSince)}`;
}

export const webhookWords = (webhook: AnyWebhook): string =>
  facts({
    Webhook: webhook.id,
    URL: webhook.url,
    State: stateOf(webhook),
    Reason: webhook.disabledReason,
    Events: webhook.eventTypes.join(', '),
    Records: 'sources' in webhook ? sourcesWords(webhook.sources) : null,
    Description: webhook.description,
  });

function sourcesWords(sources: AccountWebhook['sources']): string {
  if (sources?.ids !== undefined) return sources.ids.join(', ');
  const labels = Object.entries(sources?.labels ?? {}).map(([name, value]) => `${name}:${value}`);
  return labels.length === 0 ? 'all' : labels.join(', ');
}
