// Changes a record whose check did not work, or checks it as it is, and waits for what comes of it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApiClient } from '../../client/api-provider.tsx';
import type { components } from '../../client/schema.ts';
import type { TrackedRecord } from '../../parts/record-state.ts';

type Change = components['schemas']['UpdateRecordRequest'];

const header = { Prefer: 'wait=20' };

/** @param onMended data have come */
export function useMending(id: string, onMended?: (record: TrackedRecord) => void) {
  const api = useApiClient();
  const queries = useQueryClient();
  const params = { path: { id }, header };
  const onSuccess = async (record: TrackedRecord | undefined): Promise<void> => {
    await queries.invalidateQueries();
    if (record !== undefined && record.latestSnapshotId !== null) onMended?.(record);
  };
  const checkAgain = useMutation({
    mutationFn: async () => {
      await api.POST('/v1/sources/{id}/check', { params });
      return (await api.GET('/v1/sources/{id}', { params: { path: { id } } })).data;
    },
    onSuccess,
  });
  const mend = useMutation({
    mutationFn: async (body: Change) => (await api.PATCH('/v1/sources/{id}', { params, body })).data,
    onSuccess,
  });
  return { checkAgain, mend };
}

export type Mend = ReturnType<typeof useMending>['mend'];
