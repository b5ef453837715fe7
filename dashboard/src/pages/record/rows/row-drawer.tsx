// One row beside the table, if the address names one.
import { onceOpen } from '../../../on-demand/once-open.tsx';
import { useUrlState } from '../../../parts/state/use-url-state.ts';

const ShownRow = onceOpen(async () => (await import('./shown-row.tsx')).ShownRow);

export function RowDrawer() {
  const [params] = useUrlState();
  return <ShownRow isOpen={params.get('row') !== null} />;
}
