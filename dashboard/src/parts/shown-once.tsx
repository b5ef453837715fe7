// A secret that the API has just given and will not give again.
import { Alert, Stack, Text } from '@mantine/core';
import { CodeBlock } from './code-block.tsx';

export function ShownOnce({ value, what }: { value: string; what: string }) {
  return (
    <Alert color="yellow" variant="light" title={`Copy ${what} now`}>
      <Stack gap="xs">
        <Text size="sm">It is shown this once: only its hash is kept, so nobody can show it again.</Text>
        <CodeBlock text={value} what={what} />
      </Stack>
    </Alert>
  );
}
