// Short notices in the corner. What shows them loads with the first one.
import { Notification, Stack } from '@mantine/core';
import { notifications, useNotifications } from '@mantine/notifications';
import { lazy, Suspense, useState } from 'react';
import classes from './shell.module.css';

const Shown = lazy(async () => {
  // A notice that the server is out of reach must not need the server.
  const { Notifications = Plain } = await import('./shown-notices.ts').catch(() => ({ Notifications: Plain }));
  return { default: Notifications };
});

export function Notices() {
  const { notifications: present } = useNotifications();
  const [isNeeded, setNeeded] = useState(false);
  if (present.length > 0 && !isNeeded) setNeeded(true);
  return <Suspense>{isNeeded && <Shown />}</Suspense>;
}

function Plain() {
  const { notifications: present } = useNotifications();
  return (
    <Stack className={classes['notices'] ?? ''} gap="xs">
      {present.map(({ id, title, color = 'cyan', message }) => (
        <Notification key={id} title={title} color={color} onClose={() => id && notifications.hide(id)}>
          {message}
        </Notification>
      ))}
    </Stack>
  );
}
