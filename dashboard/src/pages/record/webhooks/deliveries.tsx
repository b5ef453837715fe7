// What was sent to a webhook, or is to be: newest first, by status, page by page.
import { Button, Group, SegmentedControl, Skeleton } from '@mantine/core';
import { useNavigate, useSearchParams } from 'react-router';
import { Empty } from '../../../parts/empty.tsx';
import { ProblemNote } from '../../../parts/problem-note.tsx';
import { Section } from '../../../parts/section.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { DELIVERY_STATUSES, type DeliveryStatus } from './webhook-model.ts';
import { useDeliveries, type WebhookPath } from './webhook-queries.ts';

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
      <ProblemNote error={error} title="The deliveries cannot be shown" />
    );
  }
  return (
    <>
      {data.deliveries.length === 0 ? (
        <Empty title={status === undefined ? 'Nothing was sent yet' : `No delivery is ${status}`}>
          {status === undefined && 'Send a test, or wait for the next change of the record.'}
        </Empty>
      ) : (
        <DeliveryTable deliveries={data.deliveries} />
      )}
      <Paging isFirst={cursor === undefined} nextCursor={data.nextCursor} />
    </>
  );
}

function Paging({ isFirst, nextCursor }: { isFirst: boolean; nextCursor: string | null }) {
  const [parameters, setParameters] = useSearchParams();
  const navigate = useNavigate();
  const goTo = (cursor: string | null): void => {
    const next = new URLSearchParams(parameters);
    next.delete('cursor');
    if (cursor !== null) next.set('cursor', cursor);
    setParameters(next, { preventScrollReset: true });
  };
  if (isFirst && nextCursor === null) return null;
  return (
    <Group justify="space-between">
      <Group gap="xs">
        <Button variant="default" disabled={isFirst} onClick={() => goTo(null)}>
          Newest
        </Button>
        <Button variant="default" disabled={isFirst} onClick={() => void navigate(-1)}>
          Back
        </Button>
      </Group>
      <Button variant="default" disabled={nextCursor === null} onClick={() => goTo(nextCursor)}>
        Older
      </Button>
    </Group>
  );
}
