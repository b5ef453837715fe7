// Search and filters for a snapshot's rows.
import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { ListSelect } from '../../../../parts/controls/list-select.tsx';
import { columnOption } from '../../../../parts/record/column-name.ts';
import { UrlSearchField } from '../../../../parts/controls/url-search-field.tsx';
import { FilterPill } from './filter-pill.tsx';
import type { RowFilter } from './selection.ts';
import { useSelection } from './use-selection.ts';

const FilterForm = lazy(async () => ({ default: (await import('./filter-form.tsx')).FilterForm }));

/** The filter that is being edited, or a new one. */
type Writing = { instead?: RowFilter };

export function FilterBar({ columns }: { columns: readonly string[] }) {
  const { selection, putFilter, takeFilters, setSearch, setFields } = useSelection();
  const { search, fields, filters } = selection;
  const [writing, setWriting] = useState<Writing>();
  return (
    <Stack gap="xs" mb="sm">
      <Group gap="sm">
        <UrlSearchField label="Search the rows" value={search} onChange={setSearch} />
        {search !== '' && (
          <ListSelect
            aria-label="Column to search in"
            placeholder="in any column"
            data={[...new Set([...columns, ...fields])].map(columnOption)}
            value={fields[0] ?? null}
            onChange={(field) => setFields(field === null ? [] : [field])}
            clearable
            searchable
            limit={200}
            w={{ base: '100%', xs: 200 }}
          />
        )}
        {filters.map((filter) => (
          <FilterPill
            key={`${filter.column} ${filter.operator}`}
            filter={filter}
            onEdit={() => setWriting({ instead: filter })}
            onRemove={() => takeFilters([filter])}
          />
        ))}
        {writing === undefined && (
          <Button variant="default" onClick={() => setWriting({})}>
            Add a filter
          </Button>
        )}
        {filters.length > 1 && (
          <Button variant="subtle" onClick={() => takeFilters(filters)}>
            Clear the filters
          </Button>
        )}
      </Group>
      {writing !== undefined && (
        <Suspense fallback={<Skeleton h={61} />}>
          <FilterForm
            key={JSON.stringify(writing)}
            columns={columns}
            filter={writing.instead}
            onCancel={() => setWriting(undefined)}
            onDone={(filter) => {
              putFilter(filter, writing.instead);
              setWriting(undefined);
            }}
          />
        </Suspense>
      )}
    </Stack>
  );
}
