// The columns of a snapshot.
import '../../../../parts/figures/data-colors.css';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApiQueries } from '../../../../client/api-provider.tsx';
import { formatCount } from '../../../../parts/figures/change-count.tsx';
import { counted } from '../../../../parts/figures/counted.ts';
import { ProblemNote } from '../../../../parts/blocks/problem-note.tsx';
import { UrlSearchField } from '../../../../parts/controls/url-search-field.tsx';
import { useUrlState } from '../../../../parts/state/use-url-state.ts';
import { useRecordRef } from '../../../../parts/record/record-ref.ts';
import { ColumnCard } from './column-card.tsx';
import classes from '../profile.module.css';
import type { Snapshot } from '../../rows/use-snapshot.ts';

const CARD_PX = 260;
const SKELETON_CARDS = 6;

export function ProfileView({ snapshot }: { snapshot: Snapshot }) {
  const id = useRecordRef();
  const { queryOptions } = useApiQueries();
  const [params, change] = useUrlState();
  const path = { id, snapshotId: snapshot.id };
  const { data: profile, error } = useQuery(
    queryOptions(
      'get',
      '/v1/sources/{id}/snapshots/{snapshotId}/profile',
      { params: { path } },
      { staleTime: Infinity },
    ),
  );
  const search = params.get('find') ?? '';
  const sought = search.toLowerCase();
  const columns = profile?.columns.filter(({ column }) => column.toLowerCase().includes(sought));
  if (error !== null) return <ProblemNote error={error} title="Could not load the columns" />;
  return (
    <>
      <UrlSearchField
        label="Find a column"
        value={search}
        onChange={(text) => change({ find: text === '' ? null : text })}
      />
      <Text size="sm" c="dimmed">
        {profile === undefined
          ? 'Analysing rows…'
          : profile.isSampled
            ? `From ${formatCount(profile.sampledRows)} of ${counted(profile.totalRows, 'row')}, taken at random.`
            : `From ${profile.totalRows === 1 ? 'the' : 'all'} ${counted(profile.totalRows, 'row')}.`}
      </Text>
      <ul className={classes['cards']} aria-label="Columns">
        {columns?.map((column) => (
          <ColumnCard
            key={column.column}
            profile={column}
            snapshotId={snapshot.id}
            rows={profile?.sampledRows ?? 0}
          />
        )) ??
          Array.from({ length: SKELETON_CARDS }, (_, at) => <Skeleton key={at} h={CARD_PX} component="li" />)}
      </ul>
      {columns?.length === 0 && <Text c="dimmed">No columns match.</Text>}
    </>
  );
}
