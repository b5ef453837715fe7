// Creates a webhook, shows its secret once, then opens its page.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { answerOf } from '../../../../client/answer-of.ts';
import { useApiClient } from '../../../../client/api-provider.tsx';
import { confirming } from '../../../../parts/forms/confirmation.tsx';
import { Creation } from '../../../../parts/forms/creation.tsx';
import { useRecordPath } from '../../record-ref.ts';
import { ReceivingHelp } from './receiving-help.tsx';
import { SecretOnce } from './secret-once.tsx';
import { bodyOf, newDraft, type WebhookDraft } from './webhook-draft.ts';
import { WebhookForm } from './webhook-form.tsx';
import { useRefreshWebhooks } from '../webhook-queries.ts';

export function NewWebhook({ recordRef }: { recordRef: string }) {
  const refresh = useRefreshWebhooks();
  const create = confirming(useCreate(recordRef));
  return (
    <Creation
      what="webhook"
      feature="Webhooks"
      create={create}
      onCreated={() => void refresh()}
      renderForm={(form) => (
        <Stack>
          <ReceivingHelp />
          <WebhookForm
            recordRef={recordRef}
            initial={newDraft()}
            deed="Create webhook"
            takesSecret
            {...form}
          />
        </Stack>
      )}
    >
      {({ id, secret = '' }) => <Created id={id} secret={secret} />}
    </Creation>
  );
}

function useCreate(recordRef: string) {
  const api = useApiClient();
  return (draft: WebhookDraft) =>
    answerOf(
      api.POST('/v1/sources/{id}/webhooks', {
        params: { path: { id: recordRef } },
        body: { ...bodyOf(draft), ...(draft.secret !== '' && { secret: draft.secret }) },
      }),
    );
}

function Created({ id, secret }: { id: string; secret: string }) {
  const navigate = useNavigate();
  const path = useRecordPath();
  return (
    <Stack>
      <SecretOnce secret={secret} />
      <Text size="sm">
        Your endpoint verifies each delivery with it. Next, send it a test and see what it answers.
      </Text>
      <Group justify="flex-end">
        <Button onClick={() => void navigate(`${path}/webhooks/${id}`)}>Go to webhook</Button>
      </Group>
    </Stack>
  );
}
