// The chart's numbers as a table, for readers who do not see the chart or want exact numbers.
import { Table } from '@mantine/core';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { bucketWords, type ChangeBucket, type Step } from '../../../parts/chart/change-series.ts';
import classes from './activity-table.module.css';

export function ActivityTable({ buckets, step }: { buckets: readonly ChangeBucket[]; step: Step }) {
  const filled = buckets.filter(
    ({ newCount, changedCount, deletedCount }) => newCount + changedCount + deletedCount > 0,
  );
  return (
    <details className={classes['details']}>
      <summary>Show as table</summary>
      <Table captionSide="top" verticalSpacing={4} maw={560}>
        <Table.Caption ta="left">
          {filled.length === 0
            ? 'Nothing changed in this period.'
            : `Each ${step} in which something changed${step === 'day' ? ', in UTC' : ''}.`}
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{step === 'day' ? 'Day' : 'Hour'}</Table.Th>
            {['New', 'Changed', 'Deleted'].map((title) => (
              <Table.Th key={title} scope="col" ta="right">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {filled.map(({ start, newCount, changedCount, deletedCount }) => (
            <Table.Tr key={start}>
              <Table.Th scope="row" fw={400}>
                {bucketWords(start, step)}
              </Table.Th>
              <Table.Td ta="right">{formatCount(newCount)}</Table.Td>
              <Table.Td ta="right">{formatCount(changedCount)}</Table.Td>
              <Table.Td ta="right">{formatCount(deletedCount)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}
