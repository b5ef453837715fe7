// The rows of a delta event, page by page, or of a comparison of two snapshots.
import { useCallback } from 'react';
import { useApiClient } from '../../../client/api-provider.tsx';
import type { components } from '../../../client/schema.ts';
import { given } from '../../../parts/given.ts';
import { readExact } from '../../../parts/row-table/exact-json.ts';
import { useRowPages } from '../../../parts/row-table/use-row-pages.ts';
import type { ChangeType } from '../../../theme.ts';
import type { DeltaRow } from './delta-row.ts';

type Answer = components['schemas']['ListDeltaRowsResponse'];

/** As many as are seen at first: an event of many rows opens as fast as one of few. */
const FIRST_ROWS = 100;
const MORE_ROWS = 1_000;

const limitOf = (cursor: string | undefined): number => (cursor === undefined ? FIRST_ROWS : MORE_ROWS);

/** @param changeType undefined: of every type */
export function useEventRows(id: string, deltaEventId: string, changeType?: ChangeType, isEnabled = true) {
  const api = useApiClient();
  const read = useCallback(
    async (cursor: string | undefined, signal: AbortSignal): Promise<Answer> => {
      const query = { limit: limitOf(cursor), ...given({ cursor, changeType }) };
      const { data = '{}' } = await api.GET('/v1/sources/{id}/delta/{deltaEventId}/rows', {
        params: { path: { id, deltaEventId }, query },
        parseAs: 'text',
        signal,
      });
      return readExact<Answer>(data);
    },
    [api, id, deltaEventId, changeType],
  );
  return useRowPages<DeltaRow>(['event', id, deltaEventId, changeType], read, isEnabled);
}

/** @param from @param to ids of snapshots */
export function useComparedRows(id: string, from: string, to: string, changeType?: ChangeType) {
  const api = useApiClient();
  const read = useCallback(
    async (cursor: string | undefined, signal: AbortSignal): Promise<Answer> => {
      const query = { from, to, limit: limitOf(cursor), ...given({ cursor, changeType }) };
      const { data = '{}' } = await api.GET('/v1/sources/{id}/compare/rows', {
        params: { path: { id }, query },
        parseAs: 'text',
        signal,
      });
      return readExact<Answer>(data);
    },
    [api, id, from, to, changeType],
  );
  return useRowPages<DeltaRow>(['compare', id, from, to, changeType], read);
}
