// Changes a webhook's endpoint and events.
import { useMutation } from '@tanstack/react-query';
import { confirming } from '../../../../parts/forms/confirmation.tsx';
import { Dialog } from '../../../../parts/controls/dialog.tsx';
import { bodyOf, draftOf, type WebhookDraft } from './webhook-draft.ts';
import { WebhookForm } from './webhook-form.tsx';
import { useRefreshWebhooks, useWebhookDeeds, type TaskProps } from '../webhook-queries.ts';

export function EditWebhook({ path, webhook, onClose }: TaskProps) {
  const { change } = useWebhookDeeds(path);
  const refresh = useRefreshWebhooks();
  const { mutate, isPending, error } = useMutation({
    mutationFn: confirming((draft: WebhookDraft) => change(bodyOf(draft))),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <Dialog title="Edit webhook" onClose={onClose} size="lg">
      <WebhookForm
        recordRef={path.id}
        initial={draftOf(webhook)}
        deed="Save"
        means={webhook.format === 'mail' ? 'mail' : 'request'}
        takesSecret={false}
        isPending={isPending}
        error={error}
        onSubmit={mutate}
        onCancel={onClose}
      />
    </Dialog>
  );
}
