// A webhook in words.
import type { Webhook } from '../../../clients/typescript/src/models.ts';
import { facts, shownTime } from '../output/answers.ts';

export function stateOf({ enabled, failingSince }: Webhook): string {
  if (!enabled) return 'disabled';
  return failingSince === null ? 'enabled' : `failing since ${shownTime(failingSince)}`;
}

export const webhookWords = (webhook: Webhook): string =>
  facts({
    Webhook: webhook.id,
    URL: webhook.url,
    State: stateOf(webhook),
    Reason: webhook.disabledReason,
    Events: webhook.eventTypes.join(', '),
    Description: webhook.description,
  });
