// Filters the changed rows: by type, by text, by the column that changed.
import { Checkbox, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CHANGE_SIGNS, CHANGE_TYPES } from '../../../parts/figures/change-sign.ts';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { Segments } from '../../../parts/controls/segments.tsx';
import { UrlSearchField } from '../../../parts/controls/url-search-field.tsx';
import { useUrlState } from '../../../parts/state/use-url-state.ts';
import { ChangedInSelect } from './changed-in-select.tsx';
import { allChanges, type Counts, countOf } from './use-rows-shown.ts';

interface Props {
  counts: Counts;
  snapshotId: string;
  changedColumns: readonly string[];
  children: ReactNode;
}

export function DeltaFilters({ counts, snapshotId, changedColumns, children }: Props) {
  const [params, change] = useUrlState();
  const types = CHANGE_TYPES.map((type) => ({
    value: type as string,
    label: `${CHANGE_SIGNS[type]}${formatCount(countOf(counts, type))} ${type}`,
    disabled: countOf(counts, type) === 0,
  }));
  return (
    <Stack gap="xs" mb="sm">
      <Group gap="sm">
        <Segments
          label="Type of change"
          data={[{ value: 'all', label: `All ${formatCount(allChanges(counts))}` }, ...types]}
          value={params.get('type') ?? 'all'}
          onChange={(type) => change({ type: type === 'all' ? null : type })}
        />
        <UrlSearchField
          label="Search these rows"
          value={params.get('search') ?? ''}
          onChange={(search) => change({ search: search === '' ? null : search })}
        />
        <ChangedInSelect snapshotId={snapshotId} changed={changedColumns} />
      </Group>
      <Group gap="sm" justify="space-between">
        <Checkbox
          label="Changed columns only"
          checked={params.get('columns') === 'changed'}
          disabled={changedColumns.length === 0}
          onChange={({ currentTarget }) => change({ columns: currentTarget.checked ? 'changed' : null })}
        />
        <Group gap="xs">{children}</Group>
      </Group>
    </Stack>
  );
}
