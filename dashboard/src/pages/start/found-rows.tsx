// The first rows that were found, and their number.
import { Group, Skeleton, Text } from '@mantine/core';
import { counted } from '../../parts/figures/counted.ts';
import { FORMAT_NAMES } from '../../parts/forms/format-names.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import type { TrackedRecord } from '../../parts/record/record-state.ts';
import { Section } from '../../parts/blocks/section.tsx';
import { TextLink } from '../../parts/controls/text-link.tsx';
import { useRecordPath } from '../../parts/record/record-ref.ts';
import { RowsPreview } from './rows-preview.tsx';
import { useFirstRows } from '../../parts/row-table/use-first-rows.ts';

/** As tall as the rows will be, so that the page does not jump. */
const HEIGHT = 400;

export function FoundRows({ record, snapshotId }: { record: TrackedRecord; snapshotId: string }) {
  const path = useRecordPath();
  const { data, error } = useFirstRows(record.id, snapshotId);
  return (
    <Section
      title="What was found"
      description={data && <Counts record={record} columns={data.columns.length} />}
    >
      <ProblemNote error={error} title="Could not load the rows" />
      {data === undefined ? (
        error === null && <Skeleton h={HEIGHT} />
      ) : (
        <RowsPreview columns={data.columns} keyFields={record.keyFields ?? []} rows={data.rows} />
      )}
      {data?.hasMore === true && (
        <Text size="sm">
          <TextLink to={`${path}/data`}>{`All ${counted(record.totalRows ?? 0, 'row')}`}</TextLink>
        </Text>
      )}
    </Section>
  );
}

const Counts = ({ record: { totalRows, format }, columns }: { record: TrackedRecord; columns: number }) => (
  <Group component="span" gap={6}>
    {counted(totalRows ?? 0, 'row')} · {counted(columns, 'column')}
    {format !== null && ` · ${FORMAT_NAMES[format]}`}
  </Group>
);
