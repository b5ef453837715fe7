// One snapshot: the choice of it, and its rows or columns.
import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { isProblem } from '../../../client/problem.ts';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { RowsSkeleton } from '../../../parts/row-table/loading-rows.tsx';
import { useUrlState } from '../../../parts/state/use-url-state.ts';
import { useRecordPath } from '../../../parts/record/record-ref.ts';
import { ExportMenu } from './rows/export-menu.tsx';
import { SnapshotSelect } from './snapshot-select.tsx';
import { useSnapshot } from '../rows/use-snapshot.ts';

const RowsView = lazy(async () => ({ default: (await import('./rows/rows-view.tsx')).RowsView }));
const ProfileView = lazy(async () => ({ default: (await import('./profile/profile-view.tsx')).ProfileView }));

export function SnapshotView({ view }: { view: 'rows' | 'profile' }) {
  const [params, change] = useUrlState();
  const reference = params.get('snapshot') ?? 'latest';
  const { data: snapshot, error, isOutdated, refetch } = useSnapshot(reference);
  if (reference === 'latest' && isProblem(error, 'not_found')) return <NoData />;
  return (
    <>
      <Group justify="space-between" align="flex-end">
        <Group align="flex-end">
          <SnapshotSelect
            label="Snapshot"
            value={reference}
            onChange={(next) => change({ snapshot: next === 'latest' ? null : next })}
          />
          {isOutdated && (
            <Button variant="light" onClick={() => void refetch()}>
              Show newer data
            </Button>
          )}
        </Group>
        {snapshot === undefined ? <Skeleton w={110} h={36} /> : <ExportMenu snapshot={snapshot} />}
      </Group>
      <ProblemNote error={error} title="Could not load this snapshot" />
      {snapshot === undefined && error === null && <RowsSkeleton />}
      <Suspense fallback={<RowsSkeleton />}>
        {snapshot !== undefined && view === 'rows' && <RowsView snapshot={snapshot} />}
        {snapshot !== undefined && view === 'profile' && <ProfileView snapshot={snapshot} />}
      </Suspense>
    </>
  );
}

function NoData() {
  const path = useRecordPath();
  return (
    <Text c="dimmed" py="xl">
      No check has recorded data yet.{' '}
      <Anchor component={Link} underline="always" to={`${path}/checks`}>
        The checks
      </Anchor>{' '}
      say why.
    </Text>
  );
}
