// A record's data: the rows of any snapshot, its columns, and the differences between two snapshots.
import { Group, Stack, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { Segments } from '../../../parts/controls/segments.tsx';
import { RowsSkeleton } from '../../../parts/row-table/loading-rows.tsx';
import { RowDrawer } from '../rows/row-drawer.tsx';
import { SnapshotView } from './snapshot-view.tsx';

const CompareView = lazy(async () => ({ default: (await import('./compare-view.tsx')).CompareView }));

const VIEWS = [
  { value: 'rows', label: 'Rows' },
  { value: 'profile', label: 'Columns' },
  { value: 'compare', label: 'Compare' },
];

export function Component() {
  const [params, setParams] = useSearchParams();
  const view = VIEWS.find(({ value }) => value === params.get('view'))?.value ?? 'rows';
  const show = (next: string): void => {
    const snapshot = params.get('snapshot');
    // Drops the parameters of the other view.
    setParams({ ...(next === 'rows' ? {} : { view: next }), ...(snapshot === null ? {} : { snapshot }) });
  };
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={2}>Data</Title>
        <Segments label="View of the data" data={VIEWS} value={view} onChange={show} />
      </Group>
      <Suspense fallback={<RowsSkeleton />}>
        {view === 'compare' ? (
          <CompareView />
        ) : (
          <SnapshotView view={view === 'profile' ? 'profile' : 'rows'} />
        )}
      </Suspense>
      {view !== 'compare' && <RowDrawer />}
    </Stack>
  );
}
