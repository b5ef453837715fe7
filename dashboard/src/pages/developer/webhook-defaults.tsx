// What holds for every webhook: how to verify what arrives, and when it is tried again.
import { Group, List, Stack, Tabs, Text, Title } from '@mantine/core';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Section } from '../../parts/section.tsx';
import { useUrlState } from '../../parts/use-url-state.ts';
import { RetrySchedule } from './retry-schedule.tsx';
import go from './samples/receiver-go.txt?raw';
import python from './samples/receiver-python.txt?raw';
import typescript from './samples/receiver-typescript.txt?raw';

const RECEIVERS = [
  { id: 'typescript', name: 'TypeScript', text: typescript },
  { id: 'python', name: 'Python', text: python },
  { id: 'go', name: 'Go', text: go },
] as const;

export const WebhookDefaults = () => (
  <Section
    title="Webhook defaults"
    description="Webhooks are made on a record’s Webhooks tab. This holds for all of them."
  >
    <Stack gap="xl">
      <Receivers />
      <Group align="flex-start" gap={48}>
        <RetrySchedule />
        <Rules />
      </Group>
    </Stack>
  </Section>
);

function Receivers() {
  const [parameters, change] = useUrlState();
  const chosen = RECEIVERS.find(({ id }) => id === parameters.get('receiver')) ?? RECEIVERS[0];
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        Verify what arrives
      </Title>
      <Text size="sm" maw={680}>
        Deliveries are signed as Standard Webhooks 1.0.0 says. Each of these receivers is complete: it refuses
        what is not genuine, and prints what is.
      </Text>
      <Tabs value={chosen.id} onChange={(receiver) => change({ receiver })} keepMounted={false}>
        <Tabs.List aria-label="Language of the receiver">
          {RECEIVERS.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {RECEIVERS.map(({ id, name, text }) => (
          <Tabs.Panel key={id} value={id} pt="md">
            <CodeBlock text={text.trimEnd()} what={`the receiver in ${name}`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

const Rules = () => (
  <Stack gap="sm" flex="1 1 300px" maw={560}>
    <Title order={3} size="h5">
      What to rely on
    </Title>
    <List size="sm" spacing="xs">
      <List.Item>Any 2xx within 15 seconds is a success; redirects are not followed.</List.Item>
      <List.Item>At least once: leave out what came before under the same webhook-id.</List.Item>
      <List.Item>In no order: detectedAt says when each was found.</List.Item>
      <List.Item>Retry-After is honoured, up to a day.</List.Item>
      <List.Item>410 disables the webhook at once; so do five days of nothing but failures.</List.Item>
      <List.Item>
        When a secret is rotated, both sign for 24 hours: try each signature that is given.
      </List.Item>
    </List>
  </Stack>
);
