// How an endpoint receives and verifies: a program in three languages, and links to the rest.
import { Anchor, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { Fold } from '../../../../parts/controls/fold.tsx';
import { Receivers } from '../../../../parts/receivers/receivers.tsx';

export function ReceivingHelp() {
  const [isOpen, setOpen] = useState(false);
  const [language, setLanguage] = useState<string | null>(null);
  return (
    <Fold title="How to receive and verify" isOpen={isOpen} onToggle={setOpen}>
      <Stack gap="sm" pt="sm">
        <Text size="sm">
          Each of these is a complete endpoint at http://127.0.0.1:9000. It rejects forged deliveries and
          prints the others. <Elsewhere />
        </Text>
        <Receivers value={language} onChange={setLanguage} />
      </Stack>
    </Fold>
  );
}

/** Links open in other tabs, because this dialog may show a secret that is shown only once. */
const Elsewhere = () => (
  <>
    Delivery guarantees are in the{' '}
    <Anchor component={Link} to="/developer#webhook-defaults" target="_blank" underline="always" inherit>
      developer settings
    </Anchor>
    , the format of each body in the{' '}
    <Anchor href="/docs" target="_blank" rel="noopener" underline="always" inherit>
      reference
    </Anchor>{' '}
    (both open in a new tab).
  </>
);
