// Which of the rows that differ are wanted: by type, by what they hold, by the column that changed.
import { Checkbox, Group, Select, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { columnOption } from '../../../parts/column-name.ts';
import { CHANGE_SIGNS, CHANGE_TYPES } from '../../../parts/change-sign.ts';
import { formatCount } from '../../../parts/change-count.tsx';
import { Segments } from '../../../parts/segments.tsx';
import { UrlSearchField } from '../../../parts/url-search-field.tsx';
import { useUrlState } from '../../../parts/use-url-state.ts';
import { allChanges, type Counts, countOf } from './use-rows-shown.ts';

interface Props {
  counts: Counts;
  changedColumns: readonly string[];
  children: ReactNode;
}

export function DeltaFilters({ counts, changedColumns, children }: Props) {
  const [params, change] = useUrlState();
  const types = CHANGE_TYPES.map((type) => ({
    value: type as string,
    label: `${CHANGE_SIGNS[type]}${formatCount(countOf(counts, type))} ${type}`,
    disabled: countOf(counts, type) === 0,
  }));
  const column = params.get('column');
  const columns =
    column === null || changedColumns.includes(column) ? changedColumns : [column, ...changedColumns];
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
        <Select
          aria-label="Only rows that changed in"
          placeholder="Changed in any column"
          data={columns.map(columnOption)}
          value={column}
          onChange={(value) => change({ column: value })}
          clearable
          searchable
          limit={200}
          w={{ base: '100%', xs: 220 }}
        />
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
