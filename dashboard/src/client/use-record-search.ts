// Searches the account's records while somebody types. The API searches, because an account may have thousands.
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApiQueries } from './api-provider.tsx';
import type { components } from './schema.ts';

const PAUSE_MS = 200;

interface RecordSearch {
  /** Those of the search before until the answer comes. */
  found: readonly components['schemas']['Record'][];
  /** Whether they are those of what is typed. Until then, none found says nothing. */
  isCurrent: boolean;
  /** Null unless the search has failed. Those of the search before are found then. */
  error: unknown;
}

export function useRecordSearch(typed: string, limit: number, isEnabled = true): RecordSearch {
  const wanted = typed.trim();
  const [search] = useDebouncedValue(wanted, PAUSE_MS);
  const query = { limit, ...(search !== '' && { search }) };
  const { data, isPlaceholderData, error } = useQuery(
    useApiQueries().queryOptions(
      'get',
      '/v1/sources',
      { params: { query } },
      { enabled: isEnabled, placeholderData: keepPreviousData },
    ),
  );
  const isCurrent = search === wanted && data !== undefined && !isPlaceholderData;
  return { found: data?.sources ?? [], isCurrent, error };
}

/** What to show if nothing is found. */
export function wordsOnNothing({ isCurrent, error }: Omit<RecordSearch, 'found'>, nothing: string): string {
  if (error !== null) return 'The search failed';
  return isCurrent ? nothing : 'Searching…';
}
