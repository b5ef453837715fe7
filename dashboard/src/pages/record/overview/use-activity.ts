// How much changed in a record over time, in hours or days.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApiQueries } from '../../../client/api-provider.tsx';
import { STEP_MS, type Step } from '../../../parts/chart/change-series.ts';
import { useRecordRef } from '../../../parts/record/record-ref.ts';

export interface Span {
  step: Step;
  /** The number of hours or days, including the present one. */
  count: number;
  label: string;
}

export const SPANS = {
  '24h': { step: 'hour', count: 24, label: '24 hours' },
  '7d': { step: 'hour', count: 168, label: '7 days' },
  '30d': { step: 'day', count: 30, label: '30 days' },
  '90d': { step: 'day', count: 90, label: '90 days' },
} as const satisfies Record<string, Span>;

export type SpanName = keyof typeof SPANS;

export const spanNames = Object.keys(SPANS) as SpanName[];

export function useActivity({ step, count }: Span) {
  const id = useRecordRef();
  const { queryOptions } = useApiQueries();
  const [openedAtMs] = useState(() => Date.now());
  // Rounded to whole hours or days, so the request stays the same while it is repeated.
  const since = new Date((Math.floor(openedAtMs / STEP_MS[step]) - count + 1) * STEP_MS[step]).toISOString();
  const params = { path: { id }, query: { since, step } };
  return useQuery(queryOptions('get', '/v1/sources/{id}/activity', { params }));
}
