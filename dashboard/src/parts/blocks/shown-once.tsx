// A secret that the API has just returned and will not return again.
import { Alert, Stack, Text } from '@mantine/core';
import { CodeBlock } from './code-block.tsx';

interface Props {
  value: string;
  what: string;
  /** Why it is shown only once, or what it is worth. */
  children: string;
}

export const ShownOnce = ({ value, what, children }: Props) => (
  // Long values scroll in their own box. Otherwise they would widen the dialog beyond a narrow window.
  <Alert color="yellow" variant="light" title={`Copy ${what} now`} styles={{ body: { minWidth: 0 } }}>
    <Stack gap="xs">
      <Text size="sm">{children}</Text>
      <CodeBlock text={value} what={what} />
    </Stack>
  </Alert>
);
