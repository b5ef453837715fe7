// An action on the record of the page. Afterwards, the page's data are loaded again.
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useApiClient } from '../../client/api-provider.tsx';
import type { Api } from '../../client/client.ts';
import { useRecordRef } from '../../parts/record/record-ref.ts';
import { useRefresh } from '../../parts/record/use-record.ts';

type RecordPath = { path: { id: string } };

/**
 * @param act gets the API, the record's path parameters, and its arguments
 * @param mutationKey identifies it for observers of running actions
 */
export function useRecordAction<Given, Answer>(
  act: (api: Api, params: RecordPath, given: Given) => Promise<Answer>,
  mutationKey: readonly string[] = [],
): UseMutationResult<Answer, Error, Given> {
  const api = useApiClient();
  const ref = useRecordRef();
  const refresh = useRefresh();
  return useMutation({
    mutationKey,
    mutationFn: (given: Given) => act(api, { path: { id: ref } }, given),
    onSettled: refresh,
  });
}
