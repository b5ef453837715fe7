// One browser that is signed in.
import { Badge, Group, Text } from '@mantine/core';
import { askAuth } from '../../client/auth.ts';
import { ConfirmButton } from '../../parts/forms/confirm-button.tsx';
import { Ago, At } from '../../parts/figures/time.tsx';
import { browserName } from './browser-name.ts';
import classes from './login-session-row.module.css';

export interface LoginSession {
  id: string;
  createdAt: string;
  lastUsedAt: string;
  address: string | null;
  userAgent: string | null;
  isCurrent: boolean;
}

interface Props {
  session: LoginSession;
  onEnded: () => Promise<unknown>;
}

export function LoginSessionRow({ session, onEnded }: Props) {
  const { id, createdAt, lastUsedAt, address, userAgent, isCurrent } = session;
  const browser = browserName(userAgent ?? '');
  return (
    <li className={classes['row']}>
      <div>
        <Group gap="xs">
          <Text fw={600} {...(userAgent !== null && { title: userAgent })}>
            {browser}
          </Text>
          {isCurrent && (
            <Badge variant="light" tt="none">
              This browser
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {address !== null && `${address} · `}last used <Ago at={lastUsedAt} /> · signed in{' '}
          <At at={createdAt} />
        </Text>
      </div>
      {!isCurrent && (
        <ConfirmButton
          label={`End the session of ${browser}`}
          title="End this session?"
          explanation={`${browser} is signed out at once.`}
          confirm="End session"
          onConfirm={async () => {
            await askAuth(`sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
            await onEnded();
          }}
        >
          End
        </ConfirmButton>
      )}
    </li>
  );
}
