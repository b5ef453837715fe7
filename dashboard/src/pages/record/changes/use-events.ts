// A record's delta events in pages, within the period of the address.
import { hashKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useApiClient } from '../../../client/api-provider.tsx';
import type { components } from '../../../client/schema.ts';
import { BY_CURSOR } from '../../../parts/state/cursor-query.ts';
import { readExact } from '../../../parts/row-table/exact-json.ts';
import { given } from '../../../parts/state/given.ts';
import { useRecordRef } from '../../../parts/record/record-ref.ts';
import { useRecord } from '../../../parts/record/use-record.ts';

export type DeltaEvent = components['schemas']['DeltaEvent'];

export interface EventsAsked {
  changesOnly: boolean;
  /** ISO 8601, or null. */
  since: string | null;
  until: string | null;
}

type Answer = components['schemas']['ListDeltaEventsResult'];

const PAGE_EVENTS = 50;
/** Of each event: a line each. */
const FIRST_ROWS = 2;

/** Newest first. */
export function useEvents(asked: EventsAsked) {
  const id = useRecordRef();
  const readPage = useReadPage(id, asked);
  const { data: record } = useRecord(id);
  const version = asked.changesOnly ? record?.latestSnapshotId : record?.lastCheckedAt;
  const queryKey = ['events', id, asked];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => ({ ...(await readPage(pageParam, signal)), version }),
    ...BY_CURSOR,
    enabled: version !== undefined,
  });
  const { data, dataUpdatedAt, isFetchingNextPage } = query;
  const pages = data?.pages;
  // Data read after the end of the period are complete.
  const isOpen = asked.until === null || dataUpdatedAt < Date.parse(asked.until);
  const isNewer = pages !== undefined && isOpen && pages[0]?.version !== version;
  // With one page open, it follows the record. With more, new events would shift them, so they wait.
  const follows = isNewer && pages.length === 1 && !isFetchingNextPage;
  useFollow(follows ? hashKey([...queryKey, version]) : undefined, query.refetch);
  const queries = useQueryClient();
  return {
    ...query,
    events: pages?.flatMap(({ events }) => events),
    isNewer: isNewer && pages.length > 1,
    showNewer: () => void queries.resetQueries({ queryKey, exact: true }),
  };
}

/** Refetches once for each version, even if that fails. @param version undefined: nothing to follow */
function useFollow(version: string | undefined, refetch: () => unknown): void {
  const followed = useRef<string>(undefined);
  useEffect(() => {
    if (version === undefined || version === followed.current) return;
    followed.current = version;
    void refetch();
  }, [version, refetch]);
}

function useReadPage(id: string, { changesOnly, since, until }: EventsAsked) {
  const api = useApiClient();
  return async (cursor: string | undefined, signal: AbortSignal) => {
    const query = {
      limit: PAGE_EVENTS,
      keysLimit: 0,
      firstRows: FIRST_ROWS,
      changesOnly,
      ...given({ since, until, cursor }),
    };
    const { data = '{"events":[],"nextCursor":null}' } = await api.GET('/v1/sources/{id}/delta', {
      params: { path: { id }, query },
      parseAs: 'text',
      signal,
    });
    return readExact<Answer>(data);
  };
}
