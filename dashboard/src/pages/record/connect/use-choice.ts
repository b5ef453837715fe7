// One of several, kept in the address so that a reload and a link come back to it.
import { useUrlState } from '../../../parts/state/use-url-state.ts';

/** @param ids the first one is chosen unless the address says otherwise */
export function useChoice(name: string, ids: readonly string[]) {
  const [parameters, change] = useUrlState();
  const chosen = ids.find((id) => id === parameters.get(name)) ?? ids[0] ?? null;
  return [chosen, (id: string | null) => change({ [name]: id })] as const;
}
