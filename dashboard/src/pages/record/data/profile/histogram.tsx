// A small histogram.
import { Text } from '@mantine/core';
import { nameOfColumn } from '../../../../parts/record/column-name.ts';
import { formatCount } from '../../../../parts/figures/change-count.tsx';
import type { Histogram as Counted } from './histogram-of.ts';
import classes from '../profile.module.css';

interface Props {
  column: string;
  histogram: Counted | undefined;
  note?: string;
}

const BAR = { width: 10, gap: 1, height: 60 } as const;

export function Histogram({ column, histogram, note }: Props) {
  if (histogram === undefined) return null;
  const { counts, least, greatest } = histogram;
  const most = Math.max(...counts);
  const words = `Histogram of ${nameOfColumn(column)} from ${least} to ${greatest}: at most ${formatCount(most)} rows in one of ${counts.length} parts`;
  return (
    <div>
      <svg
        className={classes['histogram']}
        viewBox={`0 0 ${counts.length * BAR.width} ${BAR.height}`}
        preserveAspectRatio="none"
        // No other element draws.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="img"
        aria-label={words}
      >
        {counts.map((count, at) => {
          // A bar with any value is visible.
          const height = count === 0 ? 0 : Math.max(1, (count / most) * BAR.height);
          const corner = { x: at * BAR.width, y: BAR.height - height };
          // Only their position identifies bars.
          // oxlint-disable-next-line react/no-array-index-key
          return <rect key={at} {...corner} width={BAR.width - BAR.gap} height={height} />;
        })}
      </svg>
      <div className={classes['axis']} aria-hidden>
        <span title={least}>{least}</span>
        <span title={greatest}>{greatest}</span>
      </div>
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </div>
  );
}
