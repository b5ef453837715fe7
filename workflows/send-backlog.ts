// Sends the backlog of a webhook batch by batch: deliveries that were reopened together, or whose endpoint was at its limit.
import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { attemptNow, backlogGrew, type SendBacklogInput } from './contract.ts';
import { backlogs, BACKLOG } from './proxies.ts';
import { waitingWords } from '../core/durations.ts';

const MAX_HISTORY_EVENTS = 400;

/** Ends when nothing is left to send: all deliveries are done, or the webhook was disabled or deleted. */
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
    // A request resets the growing waits.
    if (isWanted) failedBatches = 0;
    if (workflowInfo().historyLength > maxHistoryEvents) {
      await continueAsNew<typeof sendBacklog>({ webhookId, failedBatches, maxHistoryEvents });
    }
  }
}
