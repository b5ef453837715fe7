// Changes a record whose check did not work, or leaves it as it is; checks it again, and waits for what comes of it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../client/answer-of.ts';
import { useApiClient } from '../../client/api-provider.tsx';
import type { components } from '../../client/schema.ts';
import type { TrackedRecord } from '../../parts/record-state.ts';

type Change = components['schemas']['UpdateRecordRequest'];

/** @param onMended data have come */
export function useMending(id: string, onMended?: (record: TrackedRecord) => void) {
  const api = useApiClient();
  const queries = useQueryClient();
  const path = { id };
  const check = async (): Promise<TrackedRecord> => {
    await answerOf(api.POST('/v1/sources/{id}/check', { params: { path, header: { Prefer: 'wait=20' } } }));
    return answerOf(api.GET('/v1/sources/{id}', { params: { path } }));
  };
  const onSuccess = async (record: TrackedRecord): Promise<void> => {
    await queries.invalidateQueries();
    if (record.latestSnapshotId !== null) onMended?.(record);
  };
  const checkAgain = useMutation({ mutationFn: check, onSuccess });
  const mend = useMutation({
    mutationFn: async (body: Change) => {
      await answerOf(api.PATCH('/v1/sources/{id}', { params: { path }, body }));
      return check();
    },
    onSuccess,
  });
  return { checkAgain, mend };
}

export type Mend = ReturnType<typeof useMending>['mend'];
