// How the deliveries of a webhook went lately: the last one, and the part that arrived.
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { components } from '../../../client/schema.ts';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { Ago, On } from '../../../parts/figures/time.tsx';
import { DeliveryBadge } from './deliveries/delivery-badge.tsx';

type Activity = components['schemas']['WebhookActivity'] | undefined;

/** @param path of the webhook's page, for a link from the list */
export function LastDelivery({ activity, path = '' }: { activity: Activity; path?: string }) {
  const last = activity?.lastDelivery;
  if (last === undefined || last === null)
    return (
      <Text inherit c="dimmed" span>
        {last === null ? 'None yet' : ''}
      </Text>
    );
  return (
    <Group gap="xs">
      <DeliveryBadge status={last.status} />
      <Anchor
        component={Link}
        to={`${path}?${new URLSearchParams({ delivery: last.id })}`}
        preventScrollReset
        inherit
      >
        <Ago at={last.finishedAt ?? last.createdAt} />
      </Anchor>
    </Group>
  );
}

export function SuccessRate({ activity }: { activity: Activity }) {
  if (activity === undefined) return null;
  const { delivered, failed, since } = activity;
  const ended = delivered + failed;
  if (ended === 0)
    return (
      <Text inherit c="dimmed" span>
        None in 30 days
      </Text>
    );
  return (
    <Stack gap={0}>
      <Text inherit span>
        {rate(delivered, ended)}
      </Text>
      <Text size="sm" c="dimmed" span>
        {formatCount(delivered)} of {formatCount(ended)} since <On at={since} />
      </Text>
    </Stack>
  );
}

/** `100 %` only if none failed, and `0 %` only if none arrived. */
function rate(part: number, whole: number): string {
  const percent = (100 * part) / whole;
  const shown = Math.round(percent * 10) / 10;
  if (shown === 100 && part < whole) return '> 99.9 %';
  return shown === 0 && part > 0 ? '< 0.1 %' : `${shown} %`;
}
