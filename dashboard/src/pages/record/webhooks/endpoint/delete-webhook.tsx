// Deletes a webhook, and says what is deleted with it.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { ProblemNote } from '../../../../parts/blocks/problem-note.tsx';
import { Dialog } from '../../../../parts/controls/dialog.tsx';
import {
  DELETION,
  useRefreshList,
  useStopAsking,
  useWebhookDeeds,
  useWebhooksPath,
  type TaskProps,
} from '../webhook-queries.ts';

export function DeleteWebhook({ path, webhook, onClose }: TaskProps) {
  const { remove } = useWebhookDeeds(path);
  const refresh = useRefreshList();
  const navigate = useNavigate();
  const webhooksPath = useWebhooksPath(path.id);
  const { mutate, isPending, error } = useMutation({
    mutationKey: DELETION,
    onMutate: useStopAsking(),
    mutationFn: remove,
    onSuccess: async () => {
      // Refreshes only the list. This page would request a webhook that no longer exists.
      await refresh();
      await navigate(webhooksPath, { replace: true });
    },
  });
  return (
    <Dialog title="Delete this webhook?" onClose={onClose} centered>
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Nothing more is sent to <b>{webhook.url}</b>, and its delivery log is deleted. To pause it, disable
          it instead.
        </Text>
        <ProblemNote error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={isPending} onClick={() => mutate()}>
            Delete webhook
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
