// Finds one event of the feed again, by its id.
import type { FeedEvent } from '../../../clients/typescript/src/models.ts';
import type { Recordwatch } from '../../../clients/typescript/src/recordwatch.ts';
import { isId } from '../../../core/ids.ts';
import { EXIT } from '../../operator/fail.ts';
import { given } from '../calls/given.ts';
import { ServiceFault } from '../calls/service-fault.ts';
import { FEED_TYPES } from '../changes/feed-types.ts';

const PAGE = 200;

/**
 * @param id of a delta event; of a check for other events
 * @param sourceIds of records, one of which it is about; empty: any
 * @throws ServiceFault there is none in the feed
 */
export async function findEvent(
  client: Recordwatch,
  id: string,
  sourceIds: readonly string[],
): Promise<FeedEvent> {
  const isDelta = isId('deltaEvent', id);
  if (!isDelta && !isId('check', id)) {
    throw new ServiceFault(`${id} is no id of an event.`, {
      advice: 'Give the id of a change, evt_…, or of a check, chk_…, as “listen” prints it.',
      exitCode: EXIT.misuse,
    });
  }
  const [first, ...others] = sourceIds;
  const sourceId = others.length === 0 ? first : undefined;
  const type = FEED_TYPES.filter((each) => (each === 'delta') === isDelta);
  for (let since: string | undefined; ;) {
    const page = await client.events.page({ ...given({ since, sourceId }), limit: PAGE, type });
    const found = page.events.find((event) => (isDelta ? event.deltaEventId : event.checkId) === id);
    if (found !== undefined) return found;
    since = page.nextCursor;
    if (page.hasMore) continue;
    throw new ServiceFault(`There is no event ${id}.`, {
      code: 'not_found',
      advice: 'The feed keeps events of this key’s records for 29 days.',
      exitCode: EXIT.noSuchThing,
    });
  }
}
