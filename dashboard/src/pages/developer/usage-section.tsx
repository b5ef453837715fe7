// What the account uses, and what its tier allows.
import { Badge, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import type { components } from '../../client/schema.ts';
import { formatCount } from '../../parts/figures/change-count.tsx';
import { counted } from '../../parts/figures/counted.ts';
import { Fact, Facts } from '../../parts/blocks/facts.tsx';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { formatBytes, formatInterval } from '../../parts/figures/quantities.ts';
import { Section } from '../../parts/blocks/section.tsx';
import { Ago } from '../../parts/figures/time.tsx';
import { useUsage } from '../../parts/state/use-usage.ts';

type Usage = components['schemas']['Usage'];

export function UsageSection() {
  const { data: usage, error } = useUsage();
  return (
    <Section
      title="Usage"
      description="The tier of an account is the highest one among its records. A record’s limits depend on its own tier."
    >
      {usage === undefined && error === null && <Skeleton h={220} />}
      {usage === undefined && <ProblemNote error={error} title="Could not load the usage" />}
      {usage && <Shown usage={usage} />}
    </Section>
  );
}

const Shown = ({ usage }: { usage: Usage }) => (
  <Stack gap="xl">
    <McpCalls calls={usage.mcpCalls} />
    <Facts>
      <Fact name="Tier">
        <Badge variant="light" tt="none" size="lg">
          {usage.tier}
        </Badge>
      </Fact>
      <Fact name="Requests per minute">{formatCount(usage.requestsPerMinute)} at most</Fact>
      <Fact name="Records">
        {formatCount(usage.records)}
        {usage.failingRecords > 0 && `, ${formatCount(usage.failingRecords)} failing`}
      </Fact>
      <Fact name="Active keys">{formatCount(usage.apiKeys)}</Fact>
      <Fact name="Webhooks">{formatCount(usage.webhooks)}</Fact>
      <Fact name="Connected clients">{formatCount(usage.connectedClients)}</Fact>
    </Facts>
    <Limits limits={usage.limitsOfRecords} tier={usage.tier} />
  </Stack>
);

const McpCalls = ({ calls: { usedToday, limitPerDay, resetAt } }: { calls: Usage['mcpCalls'] }) => (
  <Stack gap={6} maw={560}>
    <Group justify="space-between">
      <Text size="sm" fw={600}>
        MCP tool calls today
      </Text>
      <Text size="sm">
        {formatCount(usedToday)} of {formatCount(limitPerDay)}
      </Text>
    </Group>
    <Progress
      value={Math.min(100, (usedToday / limitPerDay) * 100)}
      color={usedToday >= limitPerDay ? 'red' : 'cyan'}
      aria-label="MCP tool calls today"
    />
    <Text size="sm" c="dimmed">
      Resets <Ago at={resetAt} />
    </Text>
  </Stack>
);

interface LimitsProps {
  limits: Usage['limitsOfRecords'];
  tier: Usage['tier'];
}

const Limits = ({ limits, tier }: LimitsProps) => (
  <Stack gap="xs">
    <Text size="sm" fw={600}>
      A record on the tier {tier}
    </Text>
    <Facts>
      <Fact name="Minimum check interval">{formatInterval(limits.minCheckIntervalMinutes)}</Fact>
      <Fact name="Maximum rows">{formatCount(limits.maxRows)}</Fact>
      <Fact name="Maximum file size">{formatBytes(limits.maxBodyBytes)}</Fact>
      <Fact name="History kept for">{counted(limits.retentionDays, 'day')}</Fact>
    </Facts>
  </Stack>
);
