// The MCP address of the record. It contains the session's token.
import { Code, Group, Text } from '@mantine/core';
import { useSession } from '../../client/session-context.ts';
import { useInstallation } from '../../client/installation.ts';
import { CopyButton } from '../../parts/controls/copy-button.tsx';
import { Section } from '../../parts/blocks/section.tsx';
import { TextLink } from '../../parts/controls/text-link.tsx';
import { useRecordPath } from '../../parts/record/record-ref.ts';

export function McpAddress() {
  const path = useRecordPath();
  const { baseUrl } = useInstallation();
  const token = useSession()?.token;
  if (token === undefined) return null;
  const address = `${baseUrl}/v1/mcp?token=${token}`;
  return (
    <Section title="Ask a language model">
      <div>
        <Group gap={4} wrap="nowrap" align="flex-start">
          <Code
            block
            flex={1}
            fz={12}
            aria-label="MCP address"
            style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}
          >
            {address}
          </Code>
          <CopyButton value={address} what="the MCP address" />
        </Group>
        <Text size="sm" c="dimmed" mt="xs">
          Give this MCP address to Claude, ChatGPT, Cursor or another client. Anyone who has it controls this
          record. <TextLink to={`${path}/connect`}>How to connect</TextLink>
        </Text>
      </div>
    </Section>
  );
}
