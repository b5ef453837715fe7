// A signing secret that has just been given.
import { Alert, Stack, Text } from '@mantine/core';
import { CodeBlock } from '../../../parts/code-block.tsx';

/** Unlike keys it is kept, encrypted, to sign with; it is not shown again all the same. */
export const SecretOnce = ({ secret }: { secret: string }) => (
  <Alert color="yellow" variant="light" title="Copy the signing secret now">
    <Stack gap="xs">
      <Text size="sm">It is shown this once. Whoever has it can forge deliveries to you.</Text>
      <CodeBlock text={secret} what="the signing secret" />
    </Stack>
  </Alert>
);
