// The list of records. It renders only the visible rows, however many there are.
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { TrackedRecord } from '../../parts/record/record-state.ts';
import { RecordRow } from './record-row.tsx';
import classes from './records.module.css';

const ROW_PX = 64;
const OVERSCAN = 8;
/** The next page is requested this many rows before the end. */
const AHEAD = 20;

const COLUMNS = [
  ['name', 'Record'],
  ['status', 'Status'],
  ['count', 'Rows'],
  ['time', 'Last change'],
  ['time', 'Last check'],
  ['days', 'Changes, 30 days'],
] as const;

interface Props {
  records: readonly TrackedRecord[];
  /** By the record's id; missing until they are known. */
  days: ReadonlyMap<string, readonly number[]>;
  onNearEnd: () => void;
  hasMore: boolean;
}

export function RecordsTable({ records, days, onNearEnd, hasMore }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [marginPx, setMarginPx] = useState(0);
  useLayoutEffect(() => setMarginPx(topOf(body.current)), []);
  // No compiler runs here that could take its functions for constants.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count: records.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: marginPx,
    getItemKey: (index) => records[index]?.id ?? index,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1);
  const isNearEnd = hasMore && (last?.index ?? 0) >= records.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  }, [isNearEnd, onNearEnd, records.length]);
  const beforePx = (items[0]?.start ?? marginPx) - marginPx;
  const afterPx = virtualizer.getTotalSize() - ((last?.end ?? marginPx) - marginPx);
  return (
    <table
      className={classes['table']}
      aria-label="Records"
      aria-rowcount={hasMore ? -1 : records.length + 1}
    >
      <thead>
        <tr aria-rowindex={1}>
          {COLUMNS.map(([column, title]) => (
            <th key={title} scope="col" className={classes[column]}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        <Spacer heightPx={beforePx} />
        {items.map(({ index }) => {
          const record = records[index];
          return (
            record && (
              <RecordRow
                key={record.id}
                ref={virtualizer.measureElement}
                record={record}
                index={index}
                days={days.get(record.id)}
              />
            )
          );
        })}
        <Spacer heightPx={afterPx} />
      </tbody>
    </table>
  );
}

const Spacer = ({ heightPx }: { heightPx: number }) =>
  heightPx > 0 && (
    <tr aria-hidden>
      {/* Space for rows that are not rendered. It contains nothing that needs a name. */}
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label */}
      <td colSpan={COLUMNS.length} style={{ height: heightPx, padding: 0, border: 0 }} />
    </tr>
  );

const topOf = (element: Element | null): number =>
  element === null ? 0 : element.getBoundingClientRect().top + window.scrollY;
