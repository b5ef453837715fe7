// What stands in the texts in place of a credential, and how careful to be with it.
import { Code, Text } from '@mantine/core';
import type { Access } from './access.ts';

export const CredentialHint = ({ access }: { access: Access }) => (
  <Text size="sm" c="dimmed">
    {access.isAnonymous && 'These texts hold the token of your session: whoever has it controls this record.'}
    {!access.isAnonymous && access.hasCredential && 'These texts hold the key that you have just made.'}
    {!access.isAnonymous && !access.hasCredential && (
      <>
        Put a key in place of <Code>{access.credential}</Code>; one that you make above is filled in by
        itself.
      </>
    )}
  </Text>
);
