// The rows of a delta event, or of a comparison of two snapshots, page by page.
import { useCallback } from 'react';
import { useApiClient } from '../../../client/api-provider.tsx';
import type { components } from '../../../client/schema.ts';
import { given } from '../../../parts/state/given.ts';
import { readExact } from '../../../parts/row-table/exact-json.ts';
import { useRowPages } from '../../../parts/row-table/use-row-pages.ts';
import type { ChangeType } from '../../../theme.ts';
import type { DeltaRow } from '../rows/delta-row.ts';

type Answer = components['schemas']['ListDeltaRowsResult'];

export interface RowsAsked {
  /** Undefined: of every type. */
  changeType: ChangeType | undefined;
  /** Empty: any. */
  search: string;
  /** Only rows that changed in this column. */
  column: string | null;
}

export const isEveryRow = ({ search, column }: RowsAsked): boolean => search === '' && column === null;

/** The first screenful, so a large event opens as fast as a small one. */
const FIRST_ROWS = 100;
const MORE_ROWS = 1_000;

const queryOf = ({ changeType, search, column }: RowsAsked, cursor: string | undefined) => ({
  limit: cursor === undefined ? FIRST_ROWS : MORE_ROWS,
  ...given({
    cursor,
    changeType,
    search: search === '' ? null : search,
    changedField: column === null ? null : [column],
  }),
});

export function useEventRows(id: string, deltaEventId: string, asked: RowsAsked, isEnabled: boolean) {
  const api = useApiClient();
  const { changeType, search, column } = asked;
  const read = useCallback(
    async (cursor: string | undefined, signal: AbortSignal): Promise<Answer> => {
      const query = queryOf({ changeType, search, column }, cursor);
      const { data = '{}' } = await api.GET('/v1/sources/{id}/delta/{deltaEventId}/rows', {
        params: { path: { id, deltaEventId }, query },
        parseAs: 'text',
        signal,
      });
      return readExact<Answer>(data);
    },
    [api, id, deltaEventId, changeType, search, column],
  );
  return useRowPages<DeltaRow>(['event', id, deltaEventId, changeType, search, column], read, isEnabled);
}

/** @param pair ids of snapshots; undefined: nothing is requested yet */
export function useComparedRows(
  id: string,
  pair: { from: string; to: string } | undefined,
  { changeType, search, column }: RowsAsked,
) {
  const api = useApiClient();
  const { from = '', to = '' } = pair ?? {};
  const read = useCallback(
    async (cursor: string | undefined, signal: AbortSignal): Promise<Answer> => {
      const query = { from, to, ...queryOf({ changeType, search, column }, cursor) };
      const { data = '{}' } = await api.GET('/v1/sources/{id}/compare/rows', {
        params: { path: { id }, query },
        parseAs: 'text',
        signal,
      });
      return readExact<Answer>(data);
    },
    [api, id, from, to, changeType, search, column],
  );
  const key = ['compare', id, from, to, changeType, search, column];
  return useRowPages<DeltaRow>(key, read, pair !== undefined);
}
