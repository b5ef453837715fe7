// Who changed what in the account, newest first.
import { Skeleton, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { useApiQueries } from '../../client/api-provider.tsx';
import { Empty } from '../../parts/blocks/empty.tsx';
import { PageTitle } from '../../parts/blocks/page-title.tsx';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { CursorPages } from '../../parts/state/cursor-pages.tsx';
import { type AuditEntry, EntryRow } from './entry-row.tsx';

const LIMIT = 50;
const COLUMNS = ['When', 'Who', 'Action', 'What', 'Changes', 'From'];

export function Component() {
  const cursor = useSearchParams()[0].get('cursor');
  const { queryOptions } = useApiQueries();
  const query = { limit: LIMIT, ...(cursor !== null && { cursor }) };
  const { data, error } = useQuery(
    queryOptions('get', '/v1/auditlog', { params: { query } }, { placeholderData: keepPreviousData }),
  );
  return (
    <>
      <PageTitle title="Audit log" />
      <Text size="sm" c="dimmed" mb="lg">
        Every change by a key, a person, a connected client or the operator. Entries are kept 400 days.
      </Text>
      <ProblemNote error={error} title="Could not load the audit log" />
      {data === undefined && error === null && <Skeleton h={400} />}
      {data !== undefined && <List entries={data.entries} />}
      {data !== undefined && <CursorPages things="entries" next={data.nextCursor} />}
    </>
  );
}

function List({ entries }: { entries: readonly AuditEntry[] }) {
  if (entries.length === 0) return <Empty title="No entries">The first change appears here.</Empty>;
  return (
    <Table.ScrollContainer minWidth={980} type="native">
      <Table verticalSpacing="xs" aria-label="Audit log">
        <Table.Thead>
          <Table.Tr>
            {COLUMNS.map((title) => (
              <Table.Th key={title} scope="col">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
