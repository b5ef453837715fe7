// A secret that the API has just given and will not give again.
import { Alert, Stack, Text } from '@mantine/core';
import { CodeBlock } from './code-block.tsx';

interface Props {
  value: string;
  what: string;
  /** Why it is shown this once, or what it is worth. */
  children: string;
}

export const ShownOnce = ({ value, what, children }: Props) => (
  // Long values scroll in their own place: Mantine's body would grow past a narrow window, the button to copy with it.
  <Alert color="yellow" variant="light" title={`Copy ${what} now`} styles={{ body: { minWidth: 0 } }}>
    <Stack gap="xs">
      <Text size="sm">{children}</Text>
      <CodeBlock text={value} what={what} />
    </Stack>
  </Alert>
);
