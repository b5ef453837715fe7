// The chart of a record's changes: the period, the selected part of it, and the numbers under the pointer.
import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { ChangeCount } from '../../../parts/figures/change-count.tsx';
import {
  bucketWords,
  type ChangeBucket,
  PLOT_HEIGHT_PX,
  type Step,
  type Stretch,
  sumOf,
  wholeBuckets,
} from '../../../parts/chart/change-series.ts';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { Section } from '../../../parts/blocks/section.tsx';
import { Segments } from '../../../parts/controls/segments.tsx';
import type { UrlChanges } from '../../../parts/state/use-url-state.ts';
import { PeriodFields } from '../changes/period-fields.tsx';
import { ActivityTable } from './activity-table.tsx';
import { type SpanName, SPANS, spanNames, useActivity } from './use-activity.ts';

const ChangePlot = lazy(async () => {
  const { ChangePlot: component } = await import('../../../parts/chart/change-plot.tsx');
  return { default: component };
});

interface Props {
  span: SpanName;
  since: string | null;
  until: string | null;
  onChange: (changes: UrlChanges) => void;
}

export function Activity({ span, since, until, onChange }: Props) {
  const { data, error } = useActivity(SPANS[span]);
  return (
    <Section
      title="Changes over time"
      description="Drag over the chart, or enter two times, to see the events in that period."
      actions={
        <Segments
          label="Period shown"
          value={span}
          data={spanNames.map((value) => ({ value, label: SPANS[value].label }))}
          onChange={(value) => onChange({ span: value, since: null, until: null })}
        />
      }
    >
      <ProblemNote error={error} title="Could not load the chart" />
      {data === undefined && error === null && <Skeleton h={PLOT_HEIGHT_PX + 80} />}
      {data !== undefined && (
        <Shown
          buckets={data.buckets}
          step={SPANS[span].step}
          stretch={stretchOf(since, until)}
          onSelect={({ sinceMs, untilMs }) =>
            onChange({ since: new Date(sinceMs).toISOString(), until: new Date(untilMs).toISOString() })
          }
        />
      )}
      <PeriodFields since={since} until={until} onChange={onChange} />
    </Section>
  );
}

interface ShownProps {
  buckets: readonly ChangeBucket[];
  step: Step;
  stretch: Stretch | null;
  onSelect: (stretch: Stretch) => void;
}

function Shown({ buckets, step, stretch, onSelect }: ShownProps) {
  const [hovered, setHovered] = useState<number | null>(null);
  const bucket = hovered === null ? undefined : buckets[hovered];
  const chosen = stretch === null ? buckets : wholeBuckets(buckets, stretch, step);
  return (
    <Stack gap="xs">
      {bucket !== undefined ? (
        <Counts of={[bucket]} words={bucketWords(bucket.start, step)} />
      ) : (
        <Counts of={chosen} words={stretch === null ? 'In total' : 'In the selected period'} />
      )}
      <Suspense fallback={<Skeleton h={PLOT_HEIGHT_PX} />}>
        <ChangePlot
          buckets={buckets}
          step={step}
          stretch={stretch}
          label="New, changed and deleted rows over time; the table below has the same numbers."
          onHover={setHovered}
          onSelect={onSelect}
        />
      </Suspense>
      <ActivityTable buckets={buckets} step={step} />
    </Stack>
  );
}

interface CountsProps {
  /** Null for a period that the buckets do not count. */
  of: readonly ChangeBucket[] | null;
  words: string;
}

function Counts({ of, words }: CountsProps) {
  if (of === null) {
    return (
      <Text size="sm" mih={28}>
        The events of this period are below.
      </Text>
    );
  }
  const counts = sumOf(of);
  return (
    <Group gap="xs" mih={28}>
      <Text size="sm" w={{ base: '100%', xs: 190 }}>
        {words}
      </Text>
      <ChangeCount type="new" count={counts.new} />
      <ChangeCount type="changed" count={counts.changed} />
      <ChangeCount type="deleted" count={counts.deleted} />
    </Group>
  );
}

/** A missing end lies outside of every chart. */
function stretchOf(since: string | null, until: string | null): Stretch | null {
  if (since === null && until === null) return null;
  const sinceMs = Date.parse(since ?? '');
  const untilMs = Date.parse(until ?? '');
  return {
    sinceMs: Number.isNaN(sinceMs) ? 0 : sinceMs,
    untilMs: Number.isNaN(untilMs) ? Number.MAX_SAFE_INTEGER : untilMs,
  };
}
