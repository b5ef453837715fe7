// All actions on a webhook.
import { Button, Group, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconDots } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { MenuButton } from '../../../on-demand/menu-button.tsx';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { type TaskProps, useRefreshWebhooks, useWebhookDeeds } from './webhook-queries.ts';

/** Each loads when it is asked for. */
const TASKS = {
  edit: lazy(async () => ({ default: (await import('./endpoint/edit-webhook.tsx')).EditWebhook })),
  recover: lazy(async () => ({ default: (await import('./recover-webhook.tsx')).RecoverWebhook })),
  rotate: lazy(async () => ({ default: (await import('./endpoint/rotate-secret.tsx')).RotateSecret })),
  delete: lazy(async () => ({ default: (await import('./endpoint/delete-webhook.tsx')).DeleteWebhook })),
  test: lazy(async () => ({ default: (await import('./test-webhook.tsx')).TestWebhook })),
} as const;

export function WebhookActions({ path, webhook }: Omit<TaskProps, 'onClose'>) {
  const [open, setOpen] = useState<keyof typeof TASKS>();
  const Task = open && TASKS[open];
  return (
    <Group gap="sm">
      <EnabledSwitch path={path} webhook={webhook} />
      <Button onClick={() => setOpen('test')}>Send a test</Button>
      <MenuButton
        entries={[
          { title: 'Edit', onClick: () => setOpen('edit') },
          { title: 'Recover missed deliveries', onClick: () => setOpen('recover') },
          { title: 'Rotate secret', onClick: () => setOpen('rotate') },
          'divider',
          { title: 'Delete', color: 'red', onClick: () => setOpen('delete') },
        ]}
        button={
          <Button variant="default" px="xs" aria-label="More about this webhook">
            <IconDots size={18} aria-hidden />
          </Button>
        }
      />
      <Suspense>{Task && <Task path={path} webhook={webhook} onClose={() => setOpen(undefined)} />}</Suspense>
    </Group>
  );
}

function EnabledSwitch({ path, webhook }: Omit<TaskProps, 'onClose'>) {
  const { change } = useWebhookDeeds(path);
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (enabled: boolean) => change({ enabled }),
    onSuccess: useRefreshWebhooks(),
  });
  return (
    <>
      <Switch
        label="Enabled"
        checked={isPending ? variables : webhook.enabled}
        disabled={isPending}
        onChange={({ currentTarget }) => mutate(currentTarget.checked)}
      />
      <ProblemNote error={error} />
    </>
  );
}
