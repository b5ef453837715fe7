// Creates a webhook, shows its secret once, then opens its page.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { answerOf } from '../../../../client/answer-of.ts';
import { useApiClient } from '../../../../client/api-provider.tsx';
import { confirming } from '../../../../parts/forms/confirmation.tsx';
import { Creation } from '../../../../parts/forms/creation.tsx';
import { ReceivingHelp } from './receiving-help.tsx';
import { SecretOnce } from './secret-once.tsx';
import { bodyOf, newDraft, type WebhookDraft } from './webhook-draft.ts';
import { WebhookForm } from './webhook-form.tsx';
import { type Owner, useRefreshWebhooks, useWebhooksPath } from '../webhook-queries.ts';

export function NewWebhook({ owner }: { owner: Owner }) {
  const refresh = useRefreshWebhooks();
  const create = confirming(useCreate(owner));
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
            recordRef={owner}
            initial={newDraft(owner)}
            deed="Create webhook"
            takesSecret
            {...form}
          />
        </Stack>
      )}
    >
      {({ id, secret = '' }) => <Created owner={owner} id={id} secret={secret} />}
    </Creation>
  );
}

function useCreate(owner: Owner) {
  const api = useApiClient();
  return (draft: WebhookDraft): Promise<{ id: string; secret?: string }> => {
    const body = { ...bodyOf(draft), ...(draft.secret !== '' && { secret: draft.secret }) };
    return owner === null
      ? answerOf(api.POST('/v1/webhooks', { body }))
      : answerOf(api.POST('/v1/sources/{id}/webhooks', { params: { path: { id: owner } }, body }));
  };
}

function Created({ owner, id, secret }: { owner: Owner; id: string; secret: string }) {
  const navigate = useNavigate();
  const path = useWebhooksPath(owner);
  return (
    <Stack>
      <SecretOnce secret={secret} />
      <Text size="sm">
        Your endpoint verifies each delivery with it. Next, send it a test and see what it answers.
      </Text>
      <Group justify="flex-end">
        <Button onClick={() => void navigate(`${path}/${id}`)}>Go to webhook</Button>
      </Group>
    </Stack>
  );
}
