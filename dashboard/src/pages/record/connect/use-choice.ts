// A choice that is kept in the address, so a reload or a link restores it.
import { useUrlState } from '../../../parts/state/use-url-state.ts';

/** @param ids the first one is the default */
export function useChoice(name: string, ids: readonly string[]) {
  const [parameters, change] = useUrlState();
  const chosen = ids.find((id) => id === parameters.get(name)) ?? ids[0] ?? null;
  return [chosen, (id: string | null) => change({ [name]: id })] as const;
}
