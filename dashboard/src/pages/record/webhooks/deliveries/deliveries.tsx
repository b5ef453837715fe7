// A webhook's deliveries: newest first, by status, page by page.
import { SegmentedControl, Skeleton } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { CursorPages } from '../../../../parts/state/cursor-pages.tsx';
import { Empty } from '../../../../parts/blocks/empty.tsx';
import { ProblemNote } from '../../../../parts/blocks/problem-note.tsx';
import { Section } from '../../../../parts/blocks/section.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../webhook-model.ts';
import { useDeliveries, type WebhookPath } from '../webhook-queries.ts';

const ALL = 'all';

export function Deliveries({ path }: { path: WebhookPath }) {
  const [parameters, setParameters] = useSearchParams();
  const status = DELIVERY_STATUSES.find((each) => each === parameters.get('status'));
  const filter = (chosen: string): void =>
    setParameters(chosen === ALL ? {} : { status: chosen }, { replace: true, preventScrollReset: true });
  return (
    <Section
      title="Deliveries"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Status of deliveries"
          value={status ?? ALL}
          onChange={filter}
          data={[ALL, ...DELIVERY_STATUSES]}
        />
      }
    >
      <Page path={path} status={status} />
    </Section>
  );
}

function Page({ path, status }: { path: WebhookPath; status: DeliveryStatus | undefined }) {
  const [parameters] = useSearchParams();
  const cursor = parameters.get('cursor') ?? undefined;
  const { data, error } = useDeliveries(path, { status, cursor });
  if (data === undefined) {
    return error === null ? (
      <Skeleton h={320} />
    ) : (
      <ProblemNote error={error} title="Could not load the deliveries" />
    );
  }
  return (
    <>
      {data.deliveries.length === 0 ? (
        <Empty title={status === undefined ? 'No deliveries yet' : `No delivery is ${status}`}>
          {status === undefined && 'Send a test, or wait for the next change.'}
        </Empty>
      ) : (
        <DeliveryTable owner={path.id} deliveries={data.deliveries} />
      )}
      <CursorPages things="deliveries" next={data.nextCursor} keepsScroll />
    </>
  );
}
