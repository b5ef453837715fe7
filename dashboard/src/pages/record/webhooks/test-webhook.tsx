// Sends a webhook an example, and shows the endpoint's answer.
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { Waiting } from '../../../parts/blocks/waiting.tsx';
import { Dialog } from '../../../parts/controls/dialog.tsx';
import { DeliveryResult } from './deliveries/delivery-result.tsx';
import { EVENT_TYPES, type EventType } from './webhook-model.ts';
import { useRefreshWebhooks, useWebhookDeeds, type TaskProps } from './webhook-queries.ts';

export function TestWebhook({ path, onClose }: TaskProps) {
  const { test } = useWebhookDeeds(path);
  const refresh = useRefreshWebhooks();
  const [eventType, setEventType] = useState<EventType>('delta');
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => test(eventType),
    onSettled: () => void refresh(),
  });
  return (
    <Dialog title="Send a test" onClose={onClose} size="lg">
      <Stack>
        <Text size="sm">
          One signed delivery, in one attempt, with isTest: true in its body. Nothing has happened to the
          record, and the ids in the body are examples.
        </Text>
        <Group align="flex-end" wrap="nowrap">
          <NativeSelect
            label="Type of event"
            flex={1}
            value={eventType}
            data={EVENT_TYPES.map(({ value }) => value)}
            onChange={({ currentTarget }) => setEventType(eventTypeOf(currentTarget.value))}
          />
          <Button loading={isPending} onClick={() => mutate()}>
            {data === undefined ? 'Send' : 'Send another'}
          </Button>
        </Group>
        <div aria-live="polite">
          {isPending && <Waiting>Waiting for the endpoint: 15 seconds at most</Waiting>}
          {!isPending && data && <DeliveryResult delivery={data} />}
        </div>
        <ProblemNote error={error} title="The test was not sent" />
      </Stack>
    </Dialog>
  );
}

const eventTypeOf = (text: string): EventType =>
  EVENT_TYPES.find(({ value }) => value === text)?.value ?? 'delta';
