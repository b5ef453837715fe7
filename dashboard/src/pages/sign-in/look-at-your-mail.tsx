// Says that a mail was sent. The words are the same whether or not the address is known.
import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isOnOwnMachine } from '../../client/own-machine.ts';
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
    title="Check your email"
    lead={
      <>
        We sent an email to <Person email={email} />.
      </>
    }
    footer={footer}
  >
    <div>
      <Text component="output" display="block">
        {children}
      </Text>
      <List size="sm" mt="md" c="dimmed" spacing={4}>
        <List.Item>It may take a minute. Look in your spam folder too.</List.Item>
        <List.Item>Nothing there? Check the spelling of the address and try again.</List.Item>
        {isOnOwnMachine(location.href) && (
          <List.Item>On your own machine, npm start prints emails in its terminal.</List.Item>
        )}
      </List>
    </div>
  </AuthCard>
);
