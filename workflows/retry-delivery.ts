// A delivery whose first attempt failed: wait, try again, until it is delivered or given up.
import { setCurrentDetails, sleep } from '@temporalio/workflow';
import { durationInWords } from '../core/durations.ts';
import type { RetryDeliveryInput } from './contract.ts';
import { DELIVER, deliveries } from './proxies.ts';

/**
 * Ends with what became of the delivery. Whether an attempt is due at all is Postgres's to say: the activity
 * answers `final` for a delivery that is done, whoever started this workflow and however often.
 */
export async function retryDelivery(input: RetryDeliveryInput): Promise<string> {
  let { waitMs, words } = input;
  for (;;) {
    setCurrentDetails(`${words}\n\nNext attempt in ${durationInWords(waitMs)}.`);
    if (waitMs > 0) await sleep(waitMs, { summary: 'until the next attempt' });
    const result = await deliveries.attemptDelivery.executeWithOptions({ ...DELIVER, summary: 'attempt' }, [
      input.deliveryId,
    ]);
    setCurrentDetails(result.words);
    if (result.kind === 'final') return result.words;
    ({ waitMs, words } = result);
  }
}
