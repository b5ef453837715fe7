// One of several, kept in the address so that a reload and a link come back to it.
import { useSearchParams } from 'react-router';

/** @param ids the first one is chosen unless the address says otherwise */
export function useChoice(name: string, ids: readonly string[]) {
  const [parameters, setParameters] = useSearchParams();
  const [first = ''] = ids;
  const given = parameters.get(name) ?? first;
  const choose = (id: string | null): void =>
    setParameters(
      (before) => {
        before.set(name, id ?? first);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return [ids.includes(given) ? given : first, choose] as const;
}
