// One delivery with its attempts and its request, beside the list.
import { Drawer, Skeleton, Stack } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { ProblemNote } from '../../../../parts/blocks/problem-note.tsx';
import { useUrlState } from '../../../../parts/state/use-url-state.ts';
import { Attempts } from './attempts.tsx';
import { DeliveryFacts } from './delivery-facts.tsx';
import { Redeliver } from './redeliver.tsx';
import { RequestSent } from './request-sent.tsx';
import { useDelivery, type WebhookPath } from '../webhook-queries.ts';

export function ShownDelivery({ path, isOpen }: { path: WebhookPath; isOpen: boolean }) {
  const [params, change] = useUrlState();
  const isMounted = useMounted();
  const deliveryId = params.get('delivery');
  const close = (): void => change({ delivery: null });
  return (
    <Drawer opened={isOpen && isMounted} onClose={close} position="right" size="lg" title="Delivery">
      {deliveryId !== null && <Delivery key={deliveryId} path={path} deliveryId={deliveryId} />}
    </Drawer>
  );
}

function Delivery({ path, deliveryId }: { path: WebhookPath; deliveryId: string }) {
  const { data: delivery, error } = useDelivery(path, deliveryId);
  if (delivery === undefined) {
    return error === null ? (
      <Skeleton h={320} />
    ) : (
      <ProblemNote error={error} title="Could not load this delivery" />
    );
  }
  return (
    <Stack gap="lg">
      <DeliveryFacts owner={path.id} delivery={delivery} />
      <Redeliver path={path} delivery={delivery} />
      <RequestSent delivery={delivery} />
      <Attempts delivery={delivery} />
    </Stack>
  );
}
