// A signing secret that was just created, and what an endpoint does with it.
import { Stack } from '@mantine/core';
import { ShownOnce } from '../../../../parts/blocks/shown-once.tsx';
import { ReceivingHelp } from './receiving-help.tsx';

/** Unlike keys, secrets are stored (encrypted), because they sign. Even so, they are not shown again. */
export const SecretOnce = ({ secret }: { secret: string }) => (
  <Stack gap="xs">
    <ShownOnce value={secret} what="the signing secret">
      It is shown only once. Anyone who has it can forge deliveries to you.
    </ShownOnce>
    <ReceivingHelp />
  </Stack>
);
