// Notices when followed records are deleted, because the feed does not say so.
import { setTimeout } from 'node:timers/promises';
import { NotFoundError } from '../../../clients/typescript/src/errors.ts';
import type { WatchedRecord } from '../../../clients/typescript/src/models.ts';
import type { Recordwatch } from '../../../clients/typescript/src/recordwatch.ts';
import { safeText } from '../../../core/text/safe-text.ts';
import { EXIT } from '../../operator/fail.ts';
import { ServiceFault } from '../calls/service-fault.ts';

export type Followed = Pick<WatchedRecord, 'id' | 'slug'>;

const LOOK_EVERY_MS = 10_000;

/**
 * Looks again and again, until the signal aborts, and tells each record that is gone before the last one.
 * @returns a signal that aborts when the last record is gone, with a ServiceFault that says so; never without records
 */
export function whenDeleted(
  client: Recordwatch,
  records: readonly Followed[],
  signal: AbortSignal,
  everyMs = LOOK_EVERY_MS,
): AbortSignal {
  const gone = new AbortController();
  // Only the signal ends it otherwise.
  if (records.length > 0) untilDeleted(client, records, signal, everyMs).then((fault) => gone.abort(fault), () => undefined); // prettier-ignore
  return gone.signal;
}

async function untilDeleted(
  client: Recordwatch,
  records: readonly Followed[],
  signal: AbortSignal,
  everyMs: number,
): Promise<ServiceFault> {
  let left = records;
  for (;;) {
    await setTimeout(everyMs, undefined, { signal });
    const there = await Promise.all(left.map(({ id }) => isThere(client, id, signal)));
    const words = left
      .filter((_, at) => there[at] === false)
      .map(({ slug }) => `The record ${slug} was deleted.`);
    left = left.filter((_, at) => there[at] === true);
    if (left.length === 0) {
      return new ServiceFault(words.join(' '), { code: 'not_found', exitCode: EXIT.noSuchThing });
    }
    for (const each of words) console.error(safeText(each));
  }
}

/** In doubt it is: the feed itself reports a refused key. */
async function isThere(client: Recordwatch, id: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.records.get(id, { signal });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    // A proxy may answer 404 while the service restarts.
    return !(error instanceof NotFoundError && error.code === 'not_found');
  }
}
