// A signing secret that has just been given, and what an endpoint does with it.
import { Stack } from '@mantine/core';
import { ShownOnce } from '../../../../parts/blocks/shown-once.tsx';
import { ReceivingHelp } from './receiving-help.tsx';

/** Unlike keys it is kept, encrypted, to sign with; it is not shown again all the same. */
export const SecretOnce = ({ secret }: { secret: string }) => (
  <Stack gap="xs">
    <ShownOnce value={secret} what="the signing secret">
      It is shown only once. Anyone who has it can forge deliveries to you.
    </ShownOnce>
    <ReceivingHelp />
  </Stack>
);
