// An error, in the API's words, where the user looks. It never contains a row's content or a stack.
import { Alert, Code, List, Text } from '@mantine/core';
import { Problem } from '../../client/problem.ts';

interface Props {
  error: unknown;
  title?: string;
  /** Advice on a code, where this page knows more than the API. */
  advice?: Readonly<Record<string, string>>;
}

export function ProblemNote({ error, title = 'That did not work', advice = {} }: Props) {
  if (error === null || error === undefined) return null;
  const problem =
    error instanceof Problem ? error : new Problem(0, { detail: 'Something failed in this page.' });
  const detail = advice[problem.code] ?? problem.message;
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      <Text size="sm">{detail}</Text>
      {problem.status >= 500 && problem.requestId !== undefined && (
        <Text size="sm" mt={4}>
          Tell the operator of this service: request <Code>{problem.requestId}</Code>
        </Text>
      )}
      {problem.faults.length > 0 && (
        <List size="sm" mt="xs">
          {problem.faults.map(({ pointer, detail }) => (
            <List.Item key={pointer + detail}>
              <b>{pointer}</b> {detail}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
