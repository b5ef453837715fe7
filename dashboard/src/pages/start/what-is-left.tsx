// The remainder of an anonymous session: its time, and its MCP calls.
import { Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApiQueries } from '../../client/api-provider.tsx';
import { Section } from '../../parts/blocks/section.tsx';
import { At } from '../../parts/figures/time.tsx';
import { Remaining } from './remaining.tsx';

/** Calls are counted while the page is open. */
const REFRESH_MS = 15_000;
const SESSION_SECONDS = 24 * 3_600;

export function WhatIsLeft() {
  const { queryOptions } = useApiQueries();
  const { data } = useQuery(
    queryOptions('get', '/v1/sessions/self', {}, { refetchInterval: REFRESH_MS, staleTime: 0 }),
  );
  return (
    <Section title="Remaining">
      {data === undefined ? (
        <Skeleton h={98} />
      ) : (
        <Stack gap="sm">
          <div>
            <Text size="sm">
              <Remaining until={data.expiresAt} /> of 24 hours, until <At at={data.expiresAt} />
            </Text>
            <Progress
              value={(100 * data.secondsLeft) / SESSION_SECONDS}
              size="sm"
              mt={6}
              aria-label="Time left"
            />
          </div>
          <div>
            <Text size="sm">
              {data.mcpCalls.left} of {data.mcpCalls.limit} MCP calls
            </Text>
            <Progress
              value={(100 * data.mcpCalls.left) / data.mcpCalls.limit}
              size="sm"
              mt={6}
              aria-label="MCP calls left"
            />
          </div>
        </Stack>
      )}
    </Section>
  );
}
