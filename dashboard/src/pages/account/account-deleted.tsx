// Shown after an account was deleted: what has ended, and what continues for a while.
import { Button, Text } from '@mantine/core';
import { Link } from 'react-router';
import { AuthCard } from '../sign-in/auth-card.tsx';

export const Component = () => (
  <AuthCard title="Your account is deleted">
    <Text component="output">
      You are signed out everywhere, and API keys, checks and deliveries have stopped. The data is being
      erased now.
    </Text>
    <Text size="sm" c="dimmed">
      You can sign up again with the same address at any time. The new account starts empty.
    </Text>
    <Button component={Link} to="/">
      Go to the start page
    </Button>
  </AuthCard>
);
