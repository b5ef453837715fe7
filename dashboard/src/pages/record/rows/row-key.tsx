// A row's key. A click opens the row.
import { useUrlState } from '../../../parts/state/use-url-state.ts';
import classes from './delta-cell.module.css';

export function RowKey({ rowKey }: { rowKey: string }) {
  const [, change] = useUrlState();
  return (
    <button type="button" className={classes['open']} onClick={() => change({ row: rowKey })}>
      {rowKey === '' ? '(empty key)' : rowKey.replaceAll(/[\r\n]/g, '↵')}
    </button>
  );
}
