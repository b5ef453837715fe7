// A record's overview: changes over time, health, the next check.
import { Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { useUrlState } from '../../../parts/state/use-url-state.ts';
import { Waiting } from '../../../parts/blocks/waiting.tsx';
import { AfterFirstRows } from '../../../parts/row-table/after-first-rows.tsx';
import { useRecordRef } from '../../../parts/record/record-ref.ts';
import { useRecord } from '../../../parts/record/use-record.ts';
import { Activity } from './activity.tsx';
import { AtAGlance } from './at-a-glance.tsx';
import { Health } from './health.tsx';
import { LatestEvents } from './latest-events.tsx';
import { type SpanName, spanNames } from './use-activity.ts';

const Found = lazy(async () => ({ default: (await import('../../start/found.tsx')).Found }));

export function Component() {
  const ref = useRecordRef();
  const { data: record } = useRecord(ref);
  if (record === undefined) return <Skeleton h={640} />;
  const isAnonymous = ref === 'self';
  return (
    <Stack gap="xl">
      <Suspense fallback={<Skeleton h={420} />}>{isAnonymous && <Found />}</Suspense>
      {(!isAnonymous || record.latestSnapshotId !== null) && <Health record={record} />}
      {!isAnonymous && record.lastCheckedAt === null && (
        <Waiting>The first check is running. Its result appears here when it is done.</Waiting>
      )}
      {!isAnonymous && <AtAGlance record={record} />}
      {record.latestSnapshotId !== null &&
        (isAnonymous ? (
          <AfterFirstRows recordId={record.id} snapshotId={record.latestSnapshotId} heightPx={640}>
            <OverTime record={record} />
          </AfterFirstRows>
        ) : (
          <OverTime record={record} />
        ))}
    </Stack>
  );
}

function OverTime({ record }: { record: TrackedRecord }) {
  const [params, change] = useUrlState();
  const asked = params.get('span');
  const period = { since: params.get('since'), until: params.get('until') };
  return (
    <>
      <Activity
        span={spanNames.find((name) => name === asked) ?? spanOf(record)}
        {...period}
        onChange={change}
      />
      <LatestEvents {...period} />
    </>
  );
}

const DAY_MS = 86_400_000;

const SPAN_DAYS: readonly (readonly [SpanName, number])[] = [
  ['24h', 1],
  ['7d', 7],
  ['30d', 30],
];

/** The shortest period that covers the record's checks; the longest for an old record. */
function spanOf({ createdAt, lastCheckedAt }: TrackedRecord): SpanName {
  const ageMs = Date.parse(lastCheckedAt ?? createdAt) - Date.parse(createdAt);
  return SPAN_DAYS.find(([, days]) => ageMs < days * DAY_MS)?.[0] ?? '90d';
}
