// A delivery whose first attempt failed: wait, try again, until it is delivered or given up.
import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { RetryDeliveryInput } from './contract.ts';
import { attemptNow } from './contract.ts';
import { DELIVER, deliveries } from './proxies.ts';
import { waitingWords } from '../core/waiting-words.ts';

/** An endpoint that stays busy is asked about again and again; ten attempts alone come nowhere near. */
const MAX_HISTORY_EVENTS = 400;

/**
 * Ends with what became of the delivery. Whether an attempt is due at all is Postgres's to say: the activity
 * answers `final` for a delivery that is done, whoever started this workflow and however often.
 */
export async function retryDelivery(input: RetryDeliveryInput): Promise<string> {
  const { maxHistoryEvents = MAX_HISTORY_EVENTS } = input;
  let { waitMs, words } = input;
  // Opened anew, or wanted at once: what Postgres says of it may be another thing by now.
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
