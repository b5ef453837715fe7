// The first rows of an event, a line each: what changed, in words.
import { Text } from '@mantine/core';
import { shownName } from '../../../client/shown-name.ts';
import type { components } from '../../../client/schema.ts';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { CHANGE_SIGNS } from '../../../parts/figures/change-sign.ts';
import { counted } from '../../../parts/figures/counted.ts';
import { PairedMark } from '../../../parts/figures/paired-mark.tsx';
import { nameOfColumn } from '../../../parts/record/column-name.ts';
import { textOf } from '../../../parts/row-table/exact-json.ts';
import type { ChangeType } from '../../../theme.ts';
import classes from './first-rows.module.css';

type FirstRow = components['schemas']['FirstRow'];
type FirstValue = components['schemas']['FirstValue'];

interface Props {
  rows: readonly FirstRow[];
  /** How many rows the event has. */
  total: number;
}

export function FirstRows({ rows, total }: Props) {
  if (rows.length === 0) return null;
  return (
    <ul className={classes['rows']} aria-label="First rows">
      {rows.map((row, at) => (
        <li key={`${row.changeType} ${row.key}`} className={classes['row']}>
          <span className={classes['words']}>
            <RowWords row={row} />
          </span>
          {at === rows.length - 1 && total > rows.length && (
            <Text span inherit c="dimmed" className={classes['rest'] ?? ''}>
              , and {formatCount(total - rows.length)} more
            </Text>
          )}
        </li>
      ))}
    </ul>
  );
}

function RowWords({ row }: { row: FirstRow }) {
  const { key, changeType, values, moreFields } = row;
  const isNamed = !HASHED_KEY.test(key);
  const hasValues = changeType === 'changed' || !isNamed;
  return (
    <>
      {isNamed && <b>{key === '' ? '(empty key)' : oneLine(key)}</b>}
      {isNamed && hasValues && values.length > 0 && ': '}
      {!hasValues && ` ${changeType}`}
      {!isNamed && changeType !== 'changed' && `${CHANGE_SIGNS[changeType]} `}
      {hasValues &&
        values.map((value, at) => (
          <span key={value.field}>
            {at > 0 && ', '}
            <ValueWords value={value} changeType={changeType} />
          </span>
        ))}
      {hasValues && moreFields !== null && moreFields > 0 && `, ${counted(moreFields, 'more column')}`}
      {row.pairedBy !== undefined && (
        <>
          {' '}
          <PairedMark />
        </>
      )}
    </>
  );
}

/** The key of a row of a record without key fields: it says nothing to people. */
const HASHED_KEY = /^sha256:[\da-f]{32,}(#\d+)?$/;

function ValueWords({ value, changeType }: { value: FirstValue; changeType: ChangeType }) {
  const name = <span className={classes['column']}>{nameOfColumn(value.field)}</span>;
  if (changeType !== 'changed') {
    return (
      <>
        {name} <bdi>{wordOf(changeType === 'new' ? value.after : value.before)}</bdi>
      </>
    );
  }
  return (
    <>
      {name} <del>{wordOf(value.before)}</del> to <ins>{wordOf(value.after)}</ins>
    </>
  );
}

const SHOWN_CHARACTERS = 40;

function wordOf(value: unknown): string {
  const text = textOf(value);
  if (text === undefined) return 'no value';
  if (text === '') return 'empty';
  const line = oneLine(text);
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS).toWellFormed()}…` : line;
}

const oneLine = (text: string): string => shownName(text.replaceAll(/\r\n|\r|\n/g, '↵'));
