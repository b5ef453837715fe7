// One column: the type, number and range of its values, and their distribution.
import { Badge, Group, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { nameOfColumn } from '../../../../parts/record/column-name.ts';
import { formatCount } from '../../../../parts/figures/change-count.tsx';
import { ColumnPlot } from './column-plot.tsx';
import { type ColumnProfile, isNumeric } from './column-profile.ts';
import classes from '../profile.module.css';

interface Props {
  profile: ColumnProfile;
  snapshotId: string;
  /** The number of rows that were analysed. */
  rows: number;
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

export function ColumnCard({ profile, snapshotId, rows }: Props) {
  const { ref, inViewport } = useInViewport<HTMLLIElement>();
  const { column, type, filled, distinct, minimum, maximum } = profile;
  const share = rows === 0 ? 0 : filled / rows;
  return (
    <li ref={ref} className={classes['card']}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <h3 className={classes['name']} title={column}>
          {nameOfColumn(column)}
        </h3>
        <Badge variant="default" tt="none" flex="none">
          {type}
        </Badge>
      </Group>
      <div className={classes['filled']} aria-hidden>
        <div style={{ width: `${share * 100}%` }} />
      </div>
      <Text size="sm">
        {percent.format(share)} filled · {formatCount(distinct)} different
      </Text>
      {minimum !== null && maximum !== null && (
        <dl className={classes['bounds']}>
          <div>
            <dt>{isNumeric(profile) ? 'Minimum' : 'First'}</dt>
            <dd title={minimum}>{minimum}</dd>
          </div>
          <div>
            <dt>{isNumeric(profile) ? 'Maximum' : 'Last'}</dt>
            <dd title={maximum}>{maximum}</dd>
          </div>
        </dl>
      )}
      <ColumnPlot profile={profile} snapshotId={snapshotId} isSeen={inViewport} />
    </li>
  );
}
