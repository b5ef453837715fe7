// What the account uses, and what its tier allows.
import { useQuery } from '@tanstack/react-query';
import { useApiQueries } from '../../client/api-provider.tsx';

/** @param isEnabled false in an anonymous session, which has no account */
export function useUsage(isEnabled = true) {
  const options = { enabled: isEnabled, staleTime: 30_000 };
  return useQuery(useApiQueries().queryOptions('get', '/v1/usage', {}, options));
}

/** Whether keys and webhooks are locked; false until it is known. */
export const useIsLocked = (isEnabled = true): boolean => useUsage(isEnabled).data?.isUnlocked === false;
