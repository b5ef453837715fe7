// Attempts a delivery until it is delivered or given up: after a failed first attempt, or from the first one on where no process
// made it at once.
import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { attemptNow, type RetryDeliveryInput } from './contract.ts';
import { DELIVER, deliveries } from './proxies.ts';
import { waitingWords } from '../core/durations.ts';

/** Only an endpoint that stays at its limit leads to this many events; ten attempts have far fewer. */
const MAX_HISTORY_EVENTS = 400;

/**
 * Ends with the outcome of the delivery, in words. Safe to start twice: the activity reads from PostgreSQL whether an attempt
 * is due, and returns `final` for a delivery that is done.
 */
export async function retryDelivery(input: RetryDeliveryInput): Promise<string> {
  const { maxHistoryEvents = MAX_HISTORY_EVENTS } = input;
  let { waitMs, words } = input;
  // The delivery was reopened or is wanted now, so its state in PostgreSQL may have changed.
  let isWanted = false;
  setHandler(attemptNow, () => {
    isWanted = true;
  });
  for (;;) {
    setCurrentDetails(waitingWords(words, waitMs));
    if (waitMs > 0) await condition(() => isWanted, waitMs, { summary: 'until the next attempt' });
    isWanted = false;
    const result = await deliveries.attemptDelivery.executeWithOptions({ ...DELIVER, summary: 'attempt' }, [
      input.deliveryId,
    ]);
    setCurrentDetails(result.words);
    if (result.kind === 'wait') ({ waitMs, words } = result);
    else if (isWanted) waitMs = 0;
    else return result.words;
    if (workflowInfo().historyLength > maxHistoryEvents) {
      await continueAsNew<typeof retryDelivery>({
        ...input,
        waitMs: isWanted ? 0 : waitMs,
        words,
      });
    }
  }
}
