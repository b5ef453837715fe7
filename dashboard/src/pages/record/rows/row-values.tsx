// All values of a row, uncut.
import { nameOfColumn } from '../../../parts/record/column-name.ts';
import { textOf } from '../../../parts/row-table/exact-json.ts';
import classes from './row-drawer.module.css';

export function RowValues({ row }: { row: Readonly<Record<string, unknown>> }) {
  return (
    <dl className={classes['values']}>
      {Object.entries(row).map(([column, value]) => (
        <div key={column}>
          <dt>{nameOfColumn(column)}</dt>
          <dd>
            <WholeValue value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** More than this slows a browser down. */
const SHOWN_CHARACTERS = 20_000;

export function WholeValue({ value }: { value: unknown }) {
  const text = textOf(value);
  if (text === undefined) return <i className={classes['absent']}>no value</i>;
  if (text === '') return <i className={classes['absent']}>empty</i>;
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
