// One record in the list of records: whether it needs somebody, why, and what changed.
import { shownName } from '../../client/shown-name.ts';
import { Skeleton, Text } from '@mantine/core';
import { memo, type Ref } from 'react';
import { Link } from 'react-router';
import { formatCount } from '../../parts/figures/change-count.tsx';
import { counted } from '../../parts/figures/counted.ts';
import { NextCheck } from '../../parts/figures/next-check.tsx';
import { labelTexts } from '../../parts/record/labels.ts';
import { hostAndPathOf } from '../../parts/record/origin-host.tsx';
import { recordState, type TrackedRecord } from '../../parts/record/record-state.ts';
import { Sparkline } from '../../parts/figures/sparkline.tsx';
import { StatusBadge } from '../../parts/record/status-badge.tsx';
import { Ago } from '../../parts/figures/time.tsx';
import classes from './records.module.css';

interface Props {
  /** For measuring its height. */
  ref: Ref<HTMLTableRowElement>;
  record: TrackedRecord;
  /** Its index in the whole list, from 0. */
  index: number;
  /** Undefined until they are known. */
  days: readonly number[] | undefined;
}

/** While scrolling, only new rows render. */
export const RecordRow = memo(function RecordRow({ ref, record, index, days }: Props) {
  const { status, lastCheckedAt, lastChangeAt, nextCheckAt, totalRows } = record;
  return (
    // The heading is the first row.
    <tr ref={ref} data-index={index} className={classes['row']} aria-rowindex={index + 2}>
      <th scope="row" className={classes['name']}>
        <Name record={record} />
      </th>
      <td className={classes['status']}>
        <StatusBadge state={recordState(record)} />
      </td>
      <td className={classes['count']}>{totalRows === null ? '–' : formatCount(totalRows)}</td>
      <td className={classes['time']}>{lastChangeAt ? <Ago at={lastChangeAt} /> : '–'}</td>
      <td className={classes['time']}>
        {lastCheckedAt === null ? '–' : <Ago at={lastCheckedAt} />}
        {status === 'active' && (
          <Text size="sm" c="dimmed">
            Next: <NextCheck at={nextCheckAt} />
          </Text>
        )}
      </td>
      <td className={classes['days']}>
        {days === undefined ? <Skeleton h={28} w={120} /> : <Sparkline days={days} />}
      </td>
    </tr>
  );
});

function Name({ record }: { record: TrackedRecord }) {
  const { name, slug, url, labels, lastError, totalRows, lastChangeAt } = record;
  return (
    <>
      <Link to={`/records/${encodeURIComponent(slug)}`} className={classes['link']} title={shownName(name)}>
        {shownName(name)}
      </Link>
      <Text size="sm" c="dimmed" component="div" className={classes['details']}>
        <span className={classes['path']} title={url}>
          {hostAndPathOf(url)}
        </span>
        {labelTexts(labels).map((label) => (
          <Link key={label} to={`?${new URLSearchParams({ label }).toString()}`} className={classes['label']}>
            {label}
          </Link>
        ))}
      </Text>
      {lastError !== null && (
        <Text size="sm" lineClamp={2} title={lastError.detail}>
          {lastError.detail}
        </Text>
      )}
      <Text size="sm" c="dimmed" hiddenFrom="sm">
        {totalRows === null ? 'No rows yet' : counted(totalRows, 'row')}
        {lastChangeAt && (
          <>
            , changed <Ago at={lastChangeAt} />
          </>
        )}
      </Text>
    </>
  );
}
