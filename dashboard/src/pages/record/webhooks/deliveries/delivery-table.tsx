// Deliveries with the result of the latest attempt. Each opens beside the list.
import { Badge, Table, Text } from '@mantine/core';
import { formatCount } from '../../../../parts/figures/change-count.tsx';
import { Ago } from '../../../../parts/figures/time.tsx';
import { DeliveryBadge } from './delivery-badge.tsx';
import { DeliveryLink } from './delivery-link.tsx';
import type { Delivery } from '../webhook-model.ts';
import type { Owner } from '../webhook-queries.ts';
import { RecordLink } from './record-link.tsx';

interface Props {
  owner: Owner;
  deliveries: readonly Delivery[];
}

export const DeliveryTable = ({ owner, deliveries }: Props) => (
  <Table.ScrollContainer minWidth={owner === null ? 900 : 760}>
    <Table verticalSpacing="xs" aria-label="Deliveries">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Delivery</Table.Th>
          <Table.Th scope="col">Status</Table.Th>
          {owner === null && <Table.Th scope="col">Record</Table.Th>}
          <Table.Th scope="col">Event</Table.Th>
          <Table.Th scope="col" ta="end">
            Attempts
          </Table.Th>
          <Table.Th scope="col">Latest answer</Table.Th>
          <Table.Th scope="col">Created</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} owner={owner} delivery={delivery} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

const DeliveryRow = ({ owner, delivery }: { owner: Owner; delivery: Delivery }) => (
  <Table.Tr>
    <Table.Th scope="row" fw={400}>
      <DeliveryLink id={delivery.id} />
    </Table.Th>
    <Table.Td>
      <DeliveryBadge status={delivery.status} />
    </Table.Td>
    {owner === null && (
      <Table.Td>
        <RecordLink id={delivery.sourceId} />
      </Table.Td>
    )}
    <Table.Td>
      {delivery.eventType}{' '}
      {delivery.isTest && (
        <Badge variant="default" tt="none" size="sm">
          test
        </Badge>
      )}
    </Table.Td>
    <Table.Td ta="end">{formatCount(delivery.attemptCount)}</Table.Td>
    <Table.Td>
      <LatestAnswer delivery={delivery} />
    </Table.Td>
    <Table.Td>
      <Ago at={delivery.createdAt} />
    </Table.Td>
  </Table.Tr>
);

function LatestAnswer({ delivery }: { delivery: Delivery }) {
  const attempt = delivery.attempts.at(-1);
  return (
    <>
      {attempt !== undefined && (attempt.statusCode ?? attempt.errorCode)}
      <NextAttempt delivery={delivery} />
    </>
  );
}

const NextAttempt = ({ delivery: { nextAttemptAt, waitsFor } }: { delivery: Delivery }) =>
  nextAttemptAt !== null && (
    <Text size="sm" c="dimmed">
      {waitsFor === null ? (
        <>
          next attempt <Ago at={nextAttemptAt} />
        </>
      ) : (
        <>
          waits for <DeliveryLink id={waitsFor} />
        </>
      )}
    </Text>
  );
