// Changes a record whose check failed, or leaves it as it is, checks it again, and waits for the result.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../client/answer-of.ts';
import { useApiClient } from '../../client/api-provider.tsx';
import type { components } from '../../client/schema.ts';
import type { TrackedRecord } from '../../parts/record/record-state.ts';

/** The answer waits for the requested check, or for the check after a change. */
const PREFER = { header: { Prefer: 'wait=20' } };

type Change = components['schemas']['UpdateRecordRequest'];

/**
 * @param before the record as shown
 * @param onRepaired called when there are data
 */
export function useRepair(before: TrackedRecord, onRepaired?: (record: TrackedRecord) => void) {
  const api = useApiClient();
  const queries = useQueryClient();
  const path = { id: before.id };
  const params = { path, ...PREFER };
  const check = async (): Promise<TrackedRecord> => {
    await answerOf(api.POST('/v1/sources/{id}/check', { params }));
    return answerOf(api.GET('/v1/sources/{id}', { params: { path } }));
  };
  const onSuccess = async (record: TrackedRecord): Promise<void> => {
    await queries.invalidateQueries();
    if (record.latestSnapshotId !== null) onRepaired?.(record);
  };
  const checkAgain = useMutation({ mutationFn: check, onSuccess });
  const repair = useMutation({
    mutationFn: async (body: Change) => {
      const record = await answerOf(api.PATCH('/v1/sources/{id}', { params, body }));
      // Without a change no check starts by itself.
      return record.lastCheckedAt === before.lastCheckedAt ? check() : record;
    },
    onSuccess,
  });
  return { checkAgain, repair };
}

export type Repair = ReturnType<typeof useRepair>['repair'];
