// The record of a delivery, by its name.
import { shownName } from '../../../../client/shown-name.ts';
import { useQuery } from '@tanstack/react-query';
import { useApiQueries } from '../../../../client/api-provider.tsx';
import { TextLink } from '../../../../parts/controls/text-link.tsx';

/** A name seldom changes. */
const STALE_MS = 300_000;

export function RecordLink({ id }: { id: string }) {
  const { data } = useQuery(
    useApiQueries().queryOptions(
      'get',
      '/v1/sources/{id}',
      { params: { path: { id } } },
      { staleTime: STALE_MS, retry: false },
    ),
  );
  return (
    <TextLink to={`/records/${data?.slug ?? id}`}>{shownName(data?.name ?? `src_…${id.slice(-8)}`)}</TextLink>
  );
}
