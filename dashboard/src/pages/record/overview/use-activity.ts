// How much changed in a record over time, in hours or days.
import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../../client/answer-of.ts';
import { useApiClient } from '../../../client/api-provider.tsx';
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

/** For records without checks. A check reloads it too. */
const REFRESH_MS = 300_000;

export function useActivity({ step, count }: Span) {
  const id = useRecordRef();
  const api = useApiClient();
  return useQuery({
    queryKey: ['get', '/v1/sources/{id}/activity', id, step, count],
    queryFn: ({ signal }) => {
      // The time of the request: an open page still shows the latest hours or days.
      const since = (Math.floor(Date.now() / STEP_MS[step]) - count + 1) * STEP_MS[step];
      const query = { since: new Date(since).toISOString(), step };
      return answerOf(api.GET('/v1/sources/{id}/activity', { params: { path: { id }, query }, signal }));
    },
    refetchInterval: REFRESH_MS,
  });
}
