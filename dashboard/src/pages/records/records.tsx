// All records of the account, failing ones first.
import { Button, Group, NativeSelect, Skeleton, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Empty } from '../../parts/blocks/empty.tsx';
import { PageTitle } from '../../parts/blocks/page-title.tsx';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { Segments } from '../../parts/controls/segments.tsx';
import { UrlSearchField } from '../../parts/controls/url-search-field.tsx';
import { useUrlState } from '../../parts/state/use-url-state.ts';
import { ChosenLabels } from './chosen-labels.tsx';
import { RecordsTable } from './records-table.tsx';
import { useChanges } from './use-changes.ts';
import { formatCount } from '../../parts/figures/change-count.tsx';
import { type Part, partNames, type Sort, SORTS, useRecords } from './use-records.ts';

const sorts = Object.keys(SORTS) as Sort[];

const PART_WORDS: Readonly<Record<Part, string>> = {
  all: 'All',
  failing: 'Failing',
  held: 'Held',
  healthy: 'Healthy',
  paused: 'Paused',
};

export function Component() {
  const [params, change] = useUrlState();
  const search = params.get('search') ?? '';
  const sort = sorts.find((each) => each === params.get('sort')) ?? 'health';
  const labels = params.getAll('label');
  const part = partNames.find((each) => each === params.get('show')) ?? 'all';
  const wanted = { search, sort, labels, part };
  const { pages, records, counts, isPlaceholderData, error, hasNextPage, loadMore } = useRecords(wanted);
  const days = useChanges(pages ?? []);
  const isEmpty = records?.length === 0;
  const isFiltered = search !== '' || labels.length > 0 || part !== 'all';
  return (
    <>
      <PageTitle title="Records">
        <Button component={Link} to="/records/new" leftSection={<IconPlus size={16} aria-hidden />}>
          New record
        </Button>
      </PageTitle>
      <Stack gap="md">
        {labels.length > 0 && <ChosenLabels labels={labels} onChange={(label) => change({ label })} />}
        {(!isEmpty || isFiltered) && (
          <Group gap="sm">
            <Segments
              label="Records shown"
              value={part}
              data={partNames.map((value) => ({ value, label: partLabel(value, counts?.[value]) }))}
              onChange={(value) => change({ show: value === 'all' ? null : value })}
            />
            <UrlSearchField
              label="Search by name, slug or URL"
              value={search}
              onChange={(text) => change({ search: text === '' ? null : text })}
            />
            <NativeSelect
              ms="auto"
              aria-label="Order of the records"
              data={sorts.map((value) => ({ value, label: SORTS[value] }))}
              value={sort}
              onChange={({ currentTarget }) => change({ sort: currentTarget.value })}
            />
          </Group>
        )}
        <ProblemNote error={error} title="Could not load the records" />
        {/* That nothing matched the question before says nothing about this one. */}
        {(records === undefined || (isEmpty && isPlaceholderData)) && error === null && <Skeleton h={480} />}
        {isEmpty && !isPlaceholderData && <Nothing {...wanted} isFiltered={isFiltered} />}
        {records !== undefined && !isEmpty && (
          <RecordsTable records={records} days={days} hasMore={hasNextPage} onNearEnd={loadMore} />
        )}
      </Stack>
    </>
  );
}

const partLabel = (part: Part, count: number | undefined): string =>
  count === undefined ? PART_WORDS[part] : `${PART_WORDS[part]} ${formatCount(count)}`;

interface NothingProps {
  search: string;
  part: Part;
  isFiltered: boolean;
}

const Nothing = ({ search, part, isFiltered }: NothingProps) =>
  !isFiltered ? (
    <Empty title="Watch your first URL">
      <Stack align="center">
        Enter a URL with a table behind it: CSV, TSV, JSON or JSON Lines. It is checked at once and then on a
        schedule. You see here what is new, changed or deleted.
        <Button component={Link} to="/records/new">
          Watch a URL
        </Button>
      </Stack>
    </Empty>
  ) : (
    <Empty title="No record matches">
      {part !== 'all'
        ? `No record here is ${part}.`
        : search === ''
          ? 'No record has these labels.'
          : `No name, slug or URL contains “${search}”.`}
    </Empty>
  );
