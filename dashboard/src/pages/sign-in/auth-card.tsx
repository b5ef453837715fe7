// The frame of the sign-in pages.
import { Container, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Links to other pages. */
  footer?: ReactNode;
}

export const AuthCard = ({ title, lead, children, footer }: Props) => (
  <Container size={440} px={0} py={{ base: 0, sm: 'xl' }}>
    <title>{`${title} · Recordwatch`}</title>
    <Paper withBorder p={{ base: 'lg', sm: 'xl' }} radius="lg">
      <Stack gap="lg">
        <div>
          <Title order={1}>{title}</Title>
          {lead !== undefined && (
            <Text c="dimmed" mt={4} component="div">
              {lead}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
    {footer !== undefined && (
      <Text size="sm" ta="center" mt="md" c="dimmed" component="div">
        {footer}
      </Text>
    )}
  </Container>
);
