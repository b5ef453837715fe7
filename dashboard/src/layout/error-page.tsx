// Shown if a page fails: because of a fault of ours, or because a new version's files are not loaded yet.
import { Button, Code, Container, Stack, Text, Title } from '@mantine/core';
import { useRouteError } from 'react-router';

export function ErrorPage() {
  const error = useRouteError();
  return (
    <Container size="sm" py="xl">
      <Stack align="flex-start">
        <Title order={1}>This page could not be shown</Title>
        <Text>
          Nothing is lost. Reload the page. If that does not help, tell the operator of this service:
        </Text>
        <Code block>{error instanceof Error ? error.message : String(error)}</Code>
        <Button onClick={() => location.reload()}>Reload</Button>
      </Stack>
    </Container>
  );
}
