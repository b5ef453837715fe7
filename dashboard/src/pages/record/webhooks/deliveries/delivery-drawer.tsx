// One delivery beside the list, if the address names one.
import { onceOpen } from '../../../../on-demand/once-open.tsx';
import { useUrlState } from '../../../../parts/state/use-url-state.ts';
import type { WebhookPath } from '../webhook-queries.ts';

const ShownDelivery = onceOpen(async () => (await import('./shown-delivery.tsx')).ShownDelivery);

export function DeliveryDrawer({ path }: { path: WebhookPath }) {
  const [params] = useUrlState();
  return <ShownDelivery path={path} isOpen={params.get('delivery') !== null} />;
}
