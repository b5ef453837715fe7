// Short notices in the corner. What shows them loads with the first one.
import { Notification, Stack } from '@mantine/core';
import { notifications, useNotifications } from '@mantine/notifications';
import { onceOpen } from '../on-demand/once-open.tsx';
import classes from './shell.module.css';

const Shown = onceOpen(async () => {
  // A notice that the server is out of reach must not need the server.
  const { ShownNotices } = await import('./shown-notices.tsx').catch(() => ({ ShownNotices: PlainNotices }));
  return ShownNotices;
});

export const Notices = () => <Shown isOpen={useNotifications().notifications.length > 0} />;

function PlainNotices() {
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
