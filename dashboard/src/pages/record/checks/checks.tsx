// The record's checks with their outcomes, newest first.
import { Skeleton, Table } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { useApiQueries } from '../../../client/api-provider.tsx';
import { CursorPages } from '../../../parts/state/cursor-pages.tsx';
import { Empty } from '../../../parts/blocks/empty.tsx';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { Section } from '../../../parts/blocks/section.tsx';
import { useRecordPath, useRecordRef } from '../../../parts/record/record-ref.ts';
import { CheckRow } from './check-row.tsx';
import { CheckRun } from './check-run.tsx';
import { linesOf } from './check-runs.ts';
import type { Check } from './check-words.ts';

const LIMIT = 100;
const COLUMNS = [
  ['Check', 'left'],
  ['Started', 'left'],
  ['Outcome', 'left'],
  ['Status', 'left'],
  ['Reason', 'left'],
  ['Duration', 'right'],
  ['Size', 'right'],
  ['Rows', 'right'],
  ['Notes', 'left'],
] as const;

export function Component() {
  const id = useRecordRef();
  const cursor = useSearchParams()[0].get('cursor');
  const { queryOptions } = useApiQueries();
  const query = { limit: LIMIT, ...(cursor !== null && { cursor }) };
  const { data, error } = useQuery(
    queryOptions(
      'get',
      '/v1/sources/{id}/checks',
      { params: { path: { id }, query } },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Section title="Checks" description="Every check of the data, newest first.">
      <ProblemNote error={error} title="Could not load the checks" />
      {data === undefined && error === null && <Skeleton h={400} />}
      {data !== undefined && <List checks={data.checks} />}
      {data !== undefined && <CursorPages things="checks" next={data.nextCursor} />}
    </Section>
  );
}

function List({ checks }: { checks: readonly Check[] }) {
  const path = useRecordPath();
  if (checks.length === 0) {
    return <Empty title="No check yet">The first one is running, and appears here when it is done.</Empty>;
  }
  return (
    <Table.ScrollContainer minWidth={940} type="native">
      <Table verticalSpacing="xs" aria-label="Checks">
        <Table.Thead>
          <Table.Tr>
            {COLUMNS.map(([title, align]) => (
              <Table.Th key={title} scope="col" ta={align}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {linesOf(checks).map((line) =>
            line.length === 1 ? (
              <CheckRow key={line[0].id} check={line[0]} path={path} />
            ) : (
              // The oldest check stays in its run while others come.
              <CheckRun key={line.at(-1)?.id} checks={line} path={path} />
            ),
          )}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
