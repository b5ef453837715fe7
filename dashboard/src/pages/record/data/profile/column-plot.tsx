// The distribution of a column's values: the most frequent ones, or a histogram of numbers and times.
import { Skeleton, Text } from '@mantine/core';
import { ProblemNote } from '../../../../parts/blocks/problem-note.tsx';
import { type ColumnProfile, isNumeric } from './column-profile.ts';
import { FrequentValues } from './frequent-values.tsx';
import { Histogram } from './histogram.tsx';
import { histogramOf } from './histogram-of.ts';
import classes from '../profile.module.css';
import { useColumnSample, useColumnValues } from './use-column-values.ts';

interface Props {
  profile: ColumnProfile;
  snapshotId: string;
  /** Requested when it becomes visible. */
  isSeen: boolean;
}

/** The maximum number of groups that the API returns. */
const MOST_GROUPS = 1_000;
/** Up to this many values are shown one by one. */
const BARS = 6;

export function ColumnPlot({ profile, snapshotId, isSeen }: Props) {
  const { column, distinct, filled, samples, type } = profile;
  const isOrdered = isNumeric(profile) || type === 'date';
  const isUnique = distinct === filled;
  if (filled === 0) return null;
  if (!isOrdered && isUnique) return <Samples samples={samples} />;
  const isPlotted = isOrdered && distinct > BARS;
  if (isPlotted && distinct > MOST_GROUPS) {
    return <SampledPlot column={column} snapshotId={snapshotId} isSeen={isSeen} />;
  }
  return <CountedPlot column={column} snapshotId={snapshotId} isSeen={isSeen} isPlotted={isPlotted} />;
}

interface PlotProps extends Omit<Props, 'profile'> {
  column: string;
}

function CountedPlot({ column, snapshotId, isSeen, isPlotted }: PlotProps & { isPlotted: boolean }) {
  const limit = isPlotted ? MOST_GROUPS : BARS;
  const { data, error } = useColumnValues(snapshotId, column, limit, isSeen);
  if (error !== null) return <ProblemNote error={error} title="No chart" />;
  if (data === undefined) return <Skeleton className={classes['plot']} />;
  const { values, hasMore } = data;
  // A histogram of some groups would leave rows out.
  if (isPlotted && hasMore) return <SampledPlot column={column} snapshotId={snapshotId} isSeen={isSeen} />;
  return isPlotted ? (
    <Histogram column={column} histogram={histogramOf(values)} />
  ) : (
    <FrequentValues column={column} values={values} />
  );
}

function SampledPlot({ column, snapshotId, isSeen }: PlotProps) {
  const { data: values, error } = useColumnSample(snapshotId, column, isSeen);
  if (error !== null) return <ProblemNote error={error} title="No chart" />;
  if (values === undefined) return <Skeleton className={classes['plot']} />;
  return <Histogram column={column} histogram={histogramOf(values)} note="From 100 rows, taken at random" />;
}

const Samples = ({ samples }: { samples: readonly string[] }) => (
  <div>
    <Text size="xs" c="dimmed">
      All values are different, such as
    </Text>
    <ul className={classes['samples']}>
      {samples.map((sample) => (
        <li key={sample} title={sample}>
          {sample}
        </li>
      ))}
    </ul>
  </div>
);
