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
          ? 'This is the request as the next attempt will send it.'
          : `This is the request as it would be sent now, with the timestamp of attempt ${last.number}. Earlier attempts had the same body, unless the record was renamed or the service updated since.`}{' '}
        Copying removes the line breaks and gives the exact bytes. The curl command sends it to a receiver on
        your machine and signs it with your shell’s WEBHOOK_SECRET.
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
