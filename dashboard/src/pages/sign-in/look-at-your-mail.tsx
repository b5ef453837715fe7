// After something was asked that goes on in a mail. The same words whether or not the address is known.
import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { AuthCard } from './auth-card.tsx';
import { Person } from './person.tsx';

interface Props {
  email: string;
  /** What the link in the mail does. */
  children: ReactNode;
  footer: ReactNode;
}

export const LookAtYourMail = ({ email, children, footer }: Props) => (
  <AuthCard
    title="Look at your mail"
    lead={
      <>
        We have written to <Person email={email} />.
      </>
    }
    footer={footer}
  >
    <div>
      <Text component="output" display="block">
        {children}
      </Text>
      <List size="sm" mt="md" c="dimmed" spacing={4}>
        <List.Item>It may take a minute, and may stand among the spam.</List.Item>
        <List.Item>Nothing there? See whether the address is spelled right, and try again.</List.Item>
        {isOwnMachine() && (
          <List.Item>
            On your own machine, npm start shows mails on its screen when none can be sent.
          </List.Item>
        )}
      </List>
    </div>
  </AuthCard>
);

const isOwnMachine = (): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
