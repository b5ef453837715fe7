// What happens next, after a login was allowed or refused.
import { shownName } from '../../client/shown-name.ts';
import { Stack, Text } from '@mantine/core';
import { TextLink } from '../../parts/controls/text-link.tsx';

interface Props {
  answer: 'allow' | 'refuse';
  machine: string;
}

export const Answered = ({ answer, machine }: Props) => (
  <Stack component="output" gap="xs">
    {answer === 'allow' ? (
      <>
        <Text fw={600}>The login is allowed</Text>
        <Text>
          Go back to your terminal: it gets its key within seconds. The key is named “recordwatch on{' '}
          {shownName(machine)}
          ”. You revoke it in the <TextLink to="/developer">developer settings</TextLink>.
        </Text>
      </>
    ) : (
      <>
        <Text fw={600}>The login is refused</Text>
        <Text>The program gets no key. You can close this page.</Text>
      </>
    )}
  </Stack>
);
