// The way to a new webhook; its secret, once; then the webhook's own page.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { answerOf } from '../../../client/answer-of.ts';
import { useApiClient } from '../../../client/api-provider.tsx';
import { isProblem } from '../../../client/problem.ts';
import { LockedNote } from '../../../parts/locked-note.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { useRecordPath } from '../record-ref.ts';
import { SecretOnce } from './secret-once.tsx';
import { bodyOf, newDraft, type WebhookDraft } from './webhook-draft.ts';
import { WebhookForm } from './webhook-form.tsx';
import { useRefreshWebhooks } from './webhook-queries.ts';

export function NewWebhook({ recordRef }: { recordRef: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  const creation = useCreation(recordRef);
  const begin = (): void => {
    creation.reset();
    open();
  };
  const isMade = creation.data !== undefined;
  const isLocked = isProblem(creation.error, 'plan_required');
  return (
    <>
      <Button onClick={begin}>New webhook</Button>
      <Dialog
        isOpen={isOpen}
        title={isMade ? 'Your new webhook' : 'New webhook'}
        onClose={close}
        holdsSecret={isMade}
        size="lg"
      >
        {creation.data && <Created {...creation.data} />}
        {isLocked && <LockedNote feature="Webhooks" isAnonymous={false} />}
        {!isMade && !isLocked && (
          <WebhookForm
            recordRef={recordRef}
            initial={newDraft()}
            deed="Create the webhook"
            takesSecret
            isPending={creation.isPending}
            error={creation.error}
            onSubmit={creation.mutate}
            onCancel={close}
          />
        )}
      </Dialog>
    </>
  );
}

function useCreation(recordRef: string) {
  const api = useApiClient();
  const refresh = useRefreshWebhooks();
  return useMutation({
    mutationFn: (draft: WebhookDraft) =>
      answerOf(
        api.POST('/v1/sources/{id}/webhooks', {
          params: { path: { id: recordRef } },
          body: { ...bodyOf(draft), ...(draft.secret !== '' && { secret: draft.secret }) },
        }),
      ),
    onSuccess: () => void refresh(),
  });
}

function Created({ id, secret = '' }: { id: string; secret?: string }) {
  const navigate = useNavigate();
  const path = useRecordPath();
  return (
    <Stack>
      <SecretOnce secret={secret} />
      <Text size="sm">
        Your endpoint verifies each delivery with it. Next, send it a test and see what it answers.
      </Text>
      <Group justify="flex-end">
        <Button onClick={() => void navigate(`${path}/webhooks/${id}`)}>Go to the webhook</Button>
      </Group>
    </Stack>
  );
}
