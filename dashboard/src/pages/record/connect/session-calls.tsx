// How many tool calls the anonymous session has left.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApiQueries } from '../../../client/api-provider.tsx';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { Ago } from '../../../parts/figures/time.tsx';

export function SessionCalls() {
  const { data } = useQuery(useApiQueries().queryOptions('get', '/v1/sessions/self'));
  return (
    <Text size="sm" c="dimmed" mih={22}>
      {data && (
        <>
          {formatCount(data.mcpCalls.left)} of {formatCount(data.mcpCalls.limit)} tool calls left. The session
          ends <Ago at={data.expiresAt} />.
        </>
      )}
    </Text>
  );
}
