// Creates a webhook, shows its secret once, then opens its page.
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useNavigate } from 'react-router';
import { answerOf } from '../../../../client/answer-of.ts';
import { useApiClient } from '../../../../client/api-provider.tsx';
import { useSignedIn } from '../../../../layout/signed-in.tsx';
import { confirming } from '../../../../parts/forms/confirmation.tsx';
import { Creation } from '../../../../parts/forms/creation.tsx';
import { SecretOnce } from './secret-once.tsx';
import { bodyOf, newDraft, type WebhookDraft, withFormat } from './webhook-draft.ts';
import { type Format, isMessage } from '../webhook-model.ts';
import { type Owner, useRefreshWebhooks, useWebhooksPath } from '../webhook-queries.ts';

const WebhookForm = lazy(async () => ({ default: (await import('./webhook-form.tsx')).WebhookForm }));

interface NewProps {
  owner: Owner;
  /** Whether the account's tier gives only webhooks that send mails. */
  onlyMails?: boolean;
}

export function NewWebhook({ owner, onlyMails = false }: NewProps) {
  const { signedIn } = useSignedIn();
  const draft = newDraft(owner, signedIn?.user.email ?? '');
  const refresh = useRefreshWebhooks();
  const create = confirming(useCreate(owner));
  return (
    <Creation
      what="webhook"
      feature="Webhooks"
      create={create}
      onCreated={() => void refresh()}
      renderForm={(form) => (
        <Suspense fallback={<Skeleton h={480} />}>
          <WebhookForm
            recordRef={owner}
            initial={onlyMails ? { ...draft, ...withFormat(draft, 'mail') } : draft}
            deed="Create webhook"
            takesSecret
            means={onlyMails ? 'mail' : null}
            {...form}
          />
        </Suspense>
      )}
    >
      {({ id, format, secret = '' }) => (
        <Created owner={owner} id={id} secret={isMessage(format) ? null : secret} />
      )}
    </Creation>
  );
}

function useCreate(owner: Owner) {
  const api = useApiClient();
  return (draft: WebhookDraft): Promise<{ id: string; format: Format; secret?: string }> => {
    const body = { ...bodyOf(draft), ...(draft.secret !== '' && { secret: draft.secret }) };
    return owner === null
      ? answerOf(api.POST('/v1/webhooks', { body }))
      : answerOf(api.POST('/v1/sources/{id}/webhooks', { params: { path: { id: owner } }, body }));
  };
}

interface CreatedProps {
  owner: Owner;
  id: string;
  /** Null where nobody verifies a signature. */
  secret: string | null;
}

function Created({ owner, id, secret }: CreatedProps) {
  const navigate = useNavigate();
  const path = useWebhooksPath(owner);
  return (
    <Stack>
      {secret !== null && <SecretOnce secret={secret} />}
      <Text size="sm">
        {secret !== null && 'Your endpoint verifies each delivery with it. '}Next, send it a test and see what
        arrives.
      </Text>
      <Group justify="flex-end">
        <Button onClick={() => void navigate(`${path}/${id}`)}>Go to webhook</Button>
      </Group>
    </Stack>
  );
}
