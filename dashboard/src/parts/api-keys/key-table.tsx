// Keys with their names, their last use, and a button to revoke each.
import { shownName } from '../../client/shown-name.ts';
import { Badge, Code, Table, Text } from '@mantine/core';
import { ConfirmButton } from '../forms/confirm-button.tsx';
import { Ago, At } from '../figures/time.tsx';
import { type ApiKey, type KeyResource, stateOf, useRefreshKeys } from './key-resource.ts';

interface Props {
  keys: readonly ApiKey[];
  resource: KeyResource;
}

export const KeyTable = ({ keys, resource }: Props) => (
  <Table.ScrollContainer minWidth={720}>
    <Table verticalSpacing="sm" aria-label="API keys">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Name</Table.Th>
          <Table.Th scope="col">Key</Table.Th>
          <Table.Th scope="col">Scope</Table.Th>
          <Table.Th scope="col">Created</Table.Th>
          <Table.Th scope="col">Last used</Table.Th>
          <Table.Th scope="col">Expires</Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} resource={resource} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

function KeyRow({ apiKey, resource }: { apiKey: ApiKey; resource: KeyResource }) {
  const { name, prefix, last4, scope, createdAt, lastUsedAt } = apiKey;
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} maw={260} style={{ overflowWrap: 'anywhere' }}>
        {shownName(name)}
      </Table.Th>
      <Table.Td>
        <Code>{`${prefix}…${last4}`}</Code>
      </Table.Td>
      <Table.Td>{scope}</Table.Td>
      <Table.Td>
        <At at={createdAt} />
      </Table.Td>
      <Table.Td>
        {lastUsedAt === null ? (
          <Text span c="dimmed" size="sm">
            never
          </Text>
        ) : (
          <Ago at={lastUsedAt} />
        )}
      </Table.Td>
      <Table.Td>
        <End apiKey={apiKey} />
      </Table.Td>
      <Table.Td ta="end">
        {stateOf(apiKey) === 'works' && <Revoke apiKey={apiKey} resource={resource} />}
      </Table.Td>
    </Table.Tr>
  );
}

function End({ apiKey }: { apiKey: ApiKey }) {
  const { expiresAt, revokedAt } = apiKey;
  if (revokedAt !== null) {
    return (
      <>
        <Badge color="gray" variant="default" tt="none">
          revoked
        </Badge>{' '}
        <Ago at={revokedAt} />
      </>
    );
  }
  if (expiresAt === null)
    return (
      <Text span c="dimmed" size="sm">
        never
      </Text>
    );
  const isExpired = stateOf(apiKey) === 'expired';
  return (
    <>
      {isExpired && 'expired '}
      <Ago at={expiresAt} />
    </>
  );
}

function Revoke({ apiKey: { id, name }, resource }: { apiKey: ApiKey; resource: KeyResource }) {
  const refresh = useRefreshKeys(resource);
  return (
    <ConfirmButton
      size="compact-sm"
      label={`Revoke key ${shownName(name)}`}
      title="Revoke this key?"
      explanation={
        <>
          <b>{shownName(name)}</b> stops working at once. This cannot be undone. If a program still uses it,
          create a new key and switch over first.
        </>
      }
      confirm="Revoke key"
      onConfirm={async () => {
        await resource.revoke(id);
        await refresh();
      }}
    >
      Revoke
    </ConfirmButton>
  );
}
