// All actions on a webhook.
import { Button, Group, Menu, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { DeleteWebhook } from './endpoint/delete-webhook.tsx';
import { EditWebhook } from './endpoint/edit-webhook.tsx';
import { RecoverWebhook } from './recover-webhook.tsx';
import { RotateSecret } from './endpoint/rotate-secret.tsx';
import { TestWebhook } from './test-webhook.tsx';
import { type TaskProps, useRefreshWebhooks, useWebhookDeeds } from './webhook-queries.ts';

const TASKS = {
  edit: EditWebhook,
  recover: RecoverWebhook,
  rotate: RotateSecret,
  delete: DeleteWebhook,
  test: TestWebhook,
} as const;

export function WebhookActions({ path, webhook }: Omit<TaskProps, 'onClose'>) {
  const [open, setOpen] = useState<keyof typeof TASKS>();
  const Task = open && TASKS[open];
  return (
    <Group gap="sm">
      <EnabledSwitch path={path} webhook={webhook} />
      <Button onClick={() => setOpen('test')}>Send a test</Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" px="xs" aria-label="More about this webhook">
            <IconDots size={18} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('edit')}>Edit</Menu.Item>
          <Menu.Item onClick={() => setOpen('recover')}>Recover missed deliveries</Menu.Item>
          <Menu.Item onClick={() => setOpen('rotate')}>Rotate secret</Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setOpen('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {Task && <Task path={path} webhook={webhook} onClose={() => setOpen(undefined)} />}
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
