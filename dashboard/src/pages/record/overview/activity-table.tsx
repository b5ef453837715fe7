// The chart's numbers as a table, for readers who do not see the chart or want exact numbers.
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
      <table className={classes['table']}>
        <caption>
          {filled.length === 0
            ? 'No stored check found a change in this period.'
            : `Each ${step} in which something changed${step === 'day' ? ', in UTC' : ''}.`}
        </caption>
        <thead>
          <tr>
            <th scope="col">{step === 'day' ? 'Day' : 'Hour'}</th>
            {['New', 'Changed', 'Deleted'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filled.map(({ start, newCount, changedCount, deletedCount }) => (
            <tr key={start}>
              <th scope="row">{bucketWords(start, step)}</th>
              <td>{formatCount(newCount)}</td>
              <td>{formatCount(changedCount)}</td>
              <td>{formatCount(deletedCount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
