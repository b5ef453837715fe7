// What applies to every webhook: how to verify deliveries, and when they are retried.
import { Group, List, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Receivers } from '../../parts/receivers/receivers.tsx';
import { Section } from '../../parts/blocks/section.tsx';
import { useUrlState } from '../../parts/state/use-url-state.ts';
import { RetrySchedule } from './retry-schedule.tsx';

export function WebhookDefaults() {
  const { ref, id } = useAnchor('webhook-defaults');
  return (
    <div ref={ref} id={id} style={{ scrollMarginTop: 72 }}>
      <Section
        title="Webhook defaults"
        description="You create webhooks on a record’s Webhooks tab and, for several records, on the page Webhooks. This applies to all of them."
      >
        <Stack gap="xl">
          <Verifying />
          <Group align="flex-start" gap={48}>
            <RetrySchedule />
            <Rules />
          </Group>
        </Stack>
      </Section>
    </div>
  );
}

/** Scrolls to the target of a link's hash, which is not there yet when the browser looks for it. */
function useAnchor(id: string) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (location.hash === `#${id}`) ref.current?.scrollIntoView();
  }, [id]);
  return { ref, id };
}

function Verifying() {
  const [parameters, change] = useUrlState();
  return (
    <Stack gap="sm">
      <Title order={3}>Verify deliveries</Title>
      <Text size="sm" maw={680}>
        Deliveries are signed as Standard Webhooks 1.0.0. Each receiver is complete: it rejects forged
        deliveries and prints the others.
      </Text>
      <Receivers value={parameters.get('receiver')} onChange={(receiver) => change({ receiver })} />
    </Stack>
  );
}

const Rules = () => (
  <Stack gap="sm" flex="1 1 300px" maw={560}>
    <Title order={3}>Delivery guarantees</Title>
    <List size="sm" spacing="xs">
      <List.Item>Any 2xx within 15 seconds is a success; redirects are not followed.</List.Item>
      <List.Item>At least once: ignore deliveries whose webhook-id you have seen before.</List.Item>
      <List.Item>In no particular order: detectedAt says when each change was found.</List.Item>
      <List.Item>Retry-After is honoured, up to a day.</List.Item>
      <List.Item>410 disables the webhook at once; so do five days of nothing but failures.</List.Item>
      <List.Item>
        After you rotate a secret, deliveries carry two signatures for 24 hours: accept either.
      </List.Item>
    </List>
  </Stack>
);
