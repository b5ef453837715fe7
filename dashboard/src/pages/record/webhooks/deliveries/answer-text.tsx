// An endpoint's answer. Anybody may have written it, so it is shown as text only.
import { Code, Text } from '@mantine/core';

export function AnswerText({ response }: { response: string | null | undefined }) {
  if (response === undefined || response === null) return null;
  if (response === '') {
    return (
      <Text size="sm" c="dimmed">
        The answer was empty.
      </Text>
    );
  }
  return (
    <Code
      block
      mah={220}
      tabIndex={0}
      aria-label="What the endpoint answered"
      style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {response}
    </Code>
  );
}
