// Finds one event of the feed again, by its id.
import type { FeedEvent } from '../../../clients/typescript/src/models.ts';
import type { Recordwatch } from '../../../clients/typescript/src/recordwatch.ts';
import { type IdKind, isId } from '../../../core/ids.ts';
import { EXIT } from '../../operator/fail.ts';
import { given } from '../calls/given.ts';
import { ServiceFault } from '../calls/service-fault.ts';
import type { FeedType } from '../changes/feed-types.ts';
import { subjectOf } from './delivery.ts';

const PAGE = 200;

/** The types of events about each kind of id. */
const TYPES = {
  deltaEvent: ['delta'],
  check: ['check.failed', 'check.recovered', 'check.held'],
  snapshot: ['record.quiet'],
} as const satisfies Partial<Record<IdKind, readonly FeedType[]>>;

/**
 * @param id of what the event is about (see subjectOf)
 * @param sourceIds of records, one of which it is about; empty: any
 * @throws ServiceFault there is none in the feed
 */
export async function findEvent(
  client: Recordwatch,
  id: string,
  sourceIds: readonly string[],
): Promise<FeedEvent> {
  const kind = (['deltaEvent', 'check', 'snapshot'] as const).find((each) => isId(each, id));
  if (kind === undefined) {
    throw new ServiceFault(`${id} is not the id of an event.`, {
      advice:
        'Give the id of a change, evt_…, of a check, chk_…, or of a snapshot, snap_…, as “listen” prints it.',
      exitCode: EXIT.misuse,
    });
  }
  const isOf = (event: FeedEvent): boolean => sourceIds.length === 0 || sourceIds.includes(event.sourceId);
  const [first, ...others] = sourceIds;
  const sourceId = others.length === 0 ? first : undefined;
  for (let since: string | undefined; ;) {
    const page = await client.events.page({
      ...given({ since, sourceId }),
      limit: PAGE,
      type: [...TYPES[kind]],
    });
    const found = page.events.find((event) => subjectOf(event) === id && isOf(event));
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
