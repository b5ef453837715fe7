// Says which credential or placeholder the examples contain, and how to treat it.
import { Code, Text } from '@mantine/core';
import type { Access } from './access.ts';

export const CredentialHint = ({ access }: { access: Access }) => (
  <Text size="sm" c="dimmed">
    {access.isAnonymous &&
      'These examples contain the token of your session: anyone who has it controls this record.'}
    {!access.isAnonymous &&
      access.hasCredential &&
      'These examples contain the key that you have just created.'}
    {!access.isAnonymous && !access.hasCredential && (
      <>
        Replace <Code>{access.credential}</Code> with a key. One that you create above is filled in for you.
      </>
    )}
  </Text>
);
