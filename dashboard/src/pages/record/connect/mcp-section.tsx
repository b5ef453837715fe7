// MCP access to the record: the address, and what to paste into which client.
import { Code, Group, Paper, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApiQueries } from '../../../client/api-provider.tsx';
import { isOnOwnMachine } from '../../../client/own-machine.ts';
import { CodeBlock } from '../../../parts/blocks/code-block.tsx';
import { CopyButton } from '../../../parts/controls/copy-button.tsx';
import { Section } from '../../../parts/blocks/section.tsx';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { Ago } from '../../../parts/figures/time.tsx';
import type { Access } from './access.ts';
import { CredentialHint } from './credential-hint.tsx';
import { MCP_CLIENTS, type McpClient } from './mcp-clients.ts';
import { useChoice } from './use-choice.ts';

const IDS = MCP_CLIENTS.map(({ id }) => id);

export function McpSection({ access }: { access: Access }) {
  const [chosen, choose] = useChoice('client', IDS);
  const address = access.isAnonymous ? `${access.mcpUrl}?token=${access.credential}` : access.mcpUrl;
  return (
    <Section
      title="MCP"
      description="Ask a language model what changed. Its client needs this address, and a key or your permission."
    >
      <Paper withBorder px="md" py="xs">
        <Group justify="space-between" wrap="nowrap">
          <Code bg="transparent" style={{ overflowWrap: 'anywhere' }} aria-label="MCP address">
            {address}
          </Code>
          <CopyButton value={address} what="the MCP address" />
        </Group>
      </Paper>
      {access.isAnonymous && <SessionCalls />}
      <Tabs value={chosen} onChange={choose} keepMounted={false}>
        <Tabs.List aria-label="MCP client">
          {MCP_CLIENTS.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {MCP_CLIENTS.map((client) => (
          <Tabs.Panel key={client.id} value={client.id} pt="md">
            <Ways client={client} access={access} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <CredentialHint access={access} />
    </Section>
  );
}

const Ways = ({ client, access }: { client: McpClient; access: Access }) => (
  <Stack gap="md">
    {client
      .waysOf(access)
      .filter(({ needsAccount }) => !(needsAccount === true && access.isAnonymous))
      .map(({ instruction, text, what }) => (
        <Stack key={what} gap={6}>
          <Text size="sm">{instruction}</Text>
          <CodeBlock text={text} what={what} />
        </Stack>
      ))}
    {isCalledFromElsewhere(client, access) && (
      <Text size="sm" c="dimmed">
        {client.name} calls from its own servers. It cannot reach this address, which works only on this
        machine.
      </Text>
    )}
  </Stack>
);

const isCalledFromElsewhere = ({ id }: McpClient, { base }: Access): boolean =>
  ['claude-ai', 'chatgpt'].includes(id) && isOnOwnMachine(base);

/** How many tool calls the anonymous session has left. */
function SessionCalls() {
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
