// The most frequent values of a column. Each links to its rows.
import { Link, useSearchParams } from 'react-router';
import { nameOfColumn } from '../../../../parts/record/column-name.ts';
import { formatCount } from '../../../../parts/figures/change-count.tsx';
import classes from '../profile.module.css';
import type { CountedValue } from './use-column-values.ts';
import { rowsWith } from '../rows/use-selection.ts';

export function FrequentValues({ column, values }: { column: string; values: readonly CountedValue[] }) {
  const [params] = useSearchParams();
  const most = Math.max(1, ...values.map(({ count }) => count));
  return (
    <ul className={classes['values']} aria-label={`Most frequent values of ${nameOfColumn(column)}`}>
      {values.map(({ value, count }) => (
        <li key={value === null ? 'null' : `=${value}`}>
          <span className={classes['bar']} style={{ width: `${(count / most) * 100}%` }} aria-hidden />
          {value === null || value === '' ? (
            <i>{value === null ? 'no value' : 'empty'}</i>
          ) : (
            <Link to={rowsWith(params, column, value)} title={value}>
              {value.slice(0, 100)}
            </Link>
          )}
          <span className={classes['count']}>{formatCount(count)}</span>
        </li>
      ))}
    </ul>
  );
}
