// Deliveries of one webhook that are sent one batch after the other: opened anew together, or found their endpoint busy.
import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { SendBacklogInput } from './contract.ts';
import { attemptNow, backlogGrew } from './contract.ts';
import { backlogs, BACKLOG } from './proxies.ts';
import { waitingWords } from '../core/waiting-words.ts';

const MAX_HISTORY_EVENTS = 400;

/** Ends when Postgres has nothing left to send: all is done, or the webhook is disabled or deleted. */
export async function sendBacklog(input: SendBacklogInput): Promise<string> {
  const { webhookId, maxHistoryEvents = MAX_HISTORY_EVENTS } = input;
  let { failedBatches = 0 } = input;
  let hasGrown = false;
  let isWanted = false;
  setHandler(backlogGrew, () => {
    hasGrown = true;
  });
  setHandler(attemptNow, () => {
    hasGrown = true;
    isWanted = true;
  });
  for (;;) {
    hasGrown = false;
    isWanted = false;
    const result = await backlogs.sendBacklogBatch.executeWithOptions(
      { ...BACKLOG, summary: 'send a batch' },
      [{ webhookId, failedBatches }],
    );
    if (result.kind === 'empty') {
      setCurrentDetails(result.words);
      if (!hasGrown) return result.words;
    } else {
      ({ failedBatches } = result);
      const { waitMs, words } = result;
      setCurrentDetails(waitingWords(words, waitMs));
      if (waitMs > 0) await condition(() => isWanted, waitMs, { summary: 'until the next batch' });
    }
    // Somebody asked for it: a new beginning.
    if (isWanted) failedBatches = 0;
    if (workflowInfo().historyLength > maxHistoryEvents) {
      await continueAsNew<typeof sendBacklog>({ webhookId, failedBatches, maxHistoryEvents });
    }
  }
}
