// How often a webhook would have been called in the last 30 days, counted again as its condition is edited.
import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../../../client/answer-of.ts';
import { useApiClient } from '../../../../client/api-provider.tsx';
import { isProblem } from '../../../../client/problem.ts';
import type { components } from '../../../../client/schema.ts';
import { counted } from '../../../../parts/figures/counted.ts';
import type { Owner } from '../webhook-queries.ts';
import { bodyOf, type WebhookDraft } from './webhook-draft.ts';
import { conditionOf } from './condition/condition-draft.ts';

const PAUSE_MS = 400;

export function ConditionCount({ recordRef, draft }: { recordRef: Owner; draft: WebhookDraft }) {
  const condition = conditionOf(draft.condition);
  const { filters, sources } = bodyOf(draft);
  const wanted = JSON.stringify({ condition, filters, sources });
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  const isComplete = condition !== undefined && draft.changeTypes.length > 0;
  const api = useApiClient();
  const { data, error } = useQuery({
    queryKey: ['condition-count', recordRef, asked],
    queryFn: ({ signal }) => {
      const body = JSON.parse(asked) as Pick<ReturnType<typeof bodyOf>, 'condition' | 'filters'>;
      const params = { path: { id: recordRef ?? '' } };
      return recordRef === null
        ? answerOf(api.POST('/v1/webhooks/preview/condition', { body, signal }))
        : answerOf(api.POST('/v1/sources/{id}/preview/condition', { params, body, signal }));
    },
    enabled: isComplete && condition !== null,
    staleTime: 60_000,
    retry: false,
  });
  if (!isComplete || condition === null) return null;
  const isCurrent = asked === wanted;
  if (isCurrent && error !== null)
    return (
      <Text size="sm" c="dimmed">
        {isProblem(error) ? error.message : 'Not counted.'}
      </Text>
    );
  return (
    <Text size="sm" component="output" display="block">
      {!isCurrent || data === undefined ? 'Counting…' : countWords(data)}
    </Text>
  );
}

function countWords({ events, met, undecided, isWhole }: components['schemas']['ConditionPreview']): string {
  const times = counted(met + undecided, 'time');
  const blind = undecided === 0 ? '' : ` ${undecided} of them because the event is too large to decide.`;
  const part = isWhole ? '' : ' Not all events were looked at.';
  return `This would have fired ${times} in 30 days, for ${counted(events, 'event')} that pass the filters.${blind}${part}`;
}
