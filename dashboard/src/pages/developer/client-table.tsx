// Connected clients, by the names that they gave themselves.
import { shownName } from '../../client/shown-name.ts';
import { Table, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useApiClient } from '../../client/api-provider.tsx';
import type { components } from '../../client/schema.ts';
import { ConfirmButton } from '../../parts/forms/confirm-button.tsx';
import { Ago, At } from '../../parts/figures/time.tsx';

type ConnectedClient = components['schemas']['ConnectedClient'];

const SCOPE_WORDS: Record<ConnectedClient['scope'], string> = {
  full: 'Read and change records',
  read: 'Read',
  download: 'Download',
};

export const ClientTable = ({ clients }: { clients: readonly ConnectedClient[] }) => (
  <Table.ScrollContainer minWidth={640}>
    <Table verticalSpacing="sm" aria-label="Connected MCP clients">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Client</Table.Th>
          <Table.Th scope="col">Access</Table.Th>
          <Table.Th scope="col">Connected</Table.Th>
          <Table.Th scope="col">Last used</Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {clients.map((client) => (
          <ClientRow key={client.id} client={client} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

const ClientRow = ({ client }: { client: ConnectedClient }) => (
  <Table.Tr>
    <Table.Th scope="row" fw={500} maw={320} style={{ overflowWrap: 'anywhere' }}>
      {shownName(client.name)}
    </Table.Th>
    <Table.Td>{SCOPE_WORDS[client.scope]}</Table.Td>
    <Table.Td>
      <At at={client.createdAt} />
    </Table.Td>
    <Table.Td>
      {client.lastUsedAt === null ? (
        <Text span size="sm" c="dimmed">
          never
        </Text>
      ) : (
        <Ago at={client.lastUsedAt} />
      )}
    </Table.Td>
    <Table.Td ta="end">
      <Disconnect client={client} />
    </Table.Td>
  </Table.Tr>
);

function Disconnect({ client: { id, name } }: { client: ConnectedClient }) {
  const api = useApiClient();
  const queries = useQueryClient();
  return (
    <ConfirmButton
      size="compact-sm"
      label={`Disconnect ${shownName(name)}`}
      title="Disconnect this client?"
      explanation={
        <>
          <b>{shownName(name)}</b> loses access at once. It can ask for access again.
        </>
      }
      confirm="Disconnect client"
      onConfirm={async () => {
        await api.DELETE('/v1/connectedclients/{connectedClientId}', {
          params: { path: { connectedClientId: id } },
        });
        await queries.invalidateQueries({ queryKey: ['connected-clients'] });
      }}
    >
      Disconnect
    </ConfirmButton>
  );
}
