// One record in the list of records.
import { Skeleton, Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import { NextCheck } from '../../parts/figures/next-check.tsx';
import { labelTexts } from '../../parts/record/labels.ts';
import { hostOf } from '../../parts/record/origin-host.tsx';
import { recordState, type TrackedRecord } from '../../parts/record/record-state.ts';
import { Sparkline } from '../../parts/figures/sparkline.tsx';
import { StatusBadge } from '../../parts/record/status-badge.tsx';
import { Ago } from '../../parts/figures/time.tsx';
import classes from './records.module.css';

interface Props {
  record: TrackedRecord;
  /** Its index in the whole list, from 0. */
  index: number;
  /** Undefined until they are known. */
  days: readonly number[] | undefined;
}

/** While scrolling, only new rows render. */
export const RecordRow = memo(function RecordRow({ record, index, days }: Props) {
  const { name, slug, url, status, lastCheckedAt, nextCheckAt } = record;
  return (
    // The heading is the first row.
    <tr className={classes['row']} aria-rowindex={index + 2}>
      <th scope="row" className={classes['name']}>
        <Link to={`/records/${encodeURIComponent(slug)}`} className={classes['link']} title={name}>
          {name}
        </Link>
        <Text size="sm" c="dimmed" truncate title={url}>
          {hostOf(url)}
          {labelTexts(record.labels).map((label) => (
            <Link
              key={label}
              to={`?${new URLSearchParams({ label }).toString()}`}
              className={classes['label']}
            >
              {label}
            </Link>
          ))}
        </Text>
      </th>
      <td className={classes['status']}>
        <StatusBadge state={recordState(record)} />
      </td>
      <td className={classes['time']}>{lastCheckedAt === null ? '–' : <Ago at={lastCheckedAt} />}</td>
      <td className={classes['time']}>{status === 'paused' ? '–' : <NextCheck at={nextCheckAt} />}</td>
      <td className={classes['days']}>
        {days === undefined ? <Skeleton h={28} w={120} /> : <Sparkline days={days} />}
      </td>
    </tr>
  );
});
