// MCP clients that a user allowed in the browser, and their disconnection.
import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { answerOf } from '../../client/answer-of.ts';
import { useApiClient } from '../../client/api-provider.tsx';
import { useInstallation } from '../../client/installation.ts';
import { CodeBlock } from '../../parts/blocks/code-block.tsx';
import { BY_CURSOR } from '../../parts/state/cursor-query.ts';
import { Empty } from '../../parts/blocks/empty.tsx';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { Section } from '../../parts/blocks/section.tsx';
import { ClientTable } from './client-table.tsx';

export const ConnectedClients = () => (
  <Section
    title="Connected MCP clients"
    description="Clients that you allowed in your browser. They have no key: disconnecting ends their access at once."
  >
    <List />
  </Section>
);

function List() {
  const { data: clients, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useConnectedClients();
  if (clients === undefined) {
    return error === null ? (
      <Skeleton h={110} />
    ) : (
      <ProblemNote error={error} title="Could not load the clients" />
    );
  }
  if (clients.length === 0) return <None />;
  return (
    <>
      <ClientTable clients={clients} />
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Older clients
        </Button>
      )}
    </>
  );
}

function None() {
  const { baseUrl } = useInstallation();
  return (
    <Empty title="No connected clients">
      Give this address to a client that supports OAuth. It opens a page on which you allow it:
      <CodeBlock text={`${baseUrl}/v1/mcp`} what="the MCP address" />
    </Empty>
  );
}

function useConnectedClients() {
  const api = useApiClient();
  return useInfiniteQuery({
    queryKey: ['connected-clients'],
    queryFn: ({ pageParam: cursor }) =>
      answerOf(
        api.GET('/v1/connectedclients', {
          params: { query: { limit: 100, ...(cursor !== undefined && { cursor }) } },
        }),
      ),
    ...BY_CURSOR,
    select: ({ pages }) => pages.flatMap(({ connectedClients }) => connectedClients),
  });
}
