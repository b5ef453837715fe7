// The request of a delivery's attempts: headers and body, and a command that sends it to another receiver.
import { Button, CopyButton, Group, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconTerminal2 } from '@tabler/icons-react';
import { CodeBlock } from '../../../../parts/blocks/code-block.tsx';
import { headersText, readable, replayText, wasSent } from './request-texts.ts';
import type { Delivery } from '../webhook-model.ts';

export function RequestSent({ delivery }: { delivery: Delivery }) {
  const { id, payload, attempts } = delivery;
  if (payload === undefined) return null;
  const last = attempts.findLast(wasSent);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={3}>Request</Title>
        <CopyAsCurl id={id} payload={payload} />
      </Group>
      <CodeBlock text={headersText(delivery, last)} what="the headers" />
      <CodeBlock text={payload} shown={readable(payload)} what="the body" maxHeight={260} />
      <Text size="sm" c="dimmed">
        {last === undefined
          ? 'As the next attempt sends it.'
          : `As an attempt made now sends it, with the time of attempt ${last.number}. Earlier ones had the same body, unless the record was renamed or the service updated since.`}{' '}
        It is copied without the line breaks, byte for byte. Copied as curl, it goes to a receiver on your
        machine, signed again with the WEBHOOK_SECRET of your shell.
      </Text>
    </Stack>
  );
}

const CopyAsCurl = ({ id, payload }: { id: string; payload: string }) => (
  <CopyButton value={replayText(id, payload)} timeout={1_500}>
    {({ copied, copy }) => {
      const Icon = copied ? IconCheck : IconTerminal2;
      return (
        <Button variant="default" size="xs" leftSection={<Icon size={14} aria-hidden />} onClick={copy}>
          {copied ? 'Copied' : 'Copy as curl'}
        </Button>
      );
    }}
  </CopyButton>
);
