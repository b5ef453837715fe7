// A feature that the caller's plan does not include yet, and what unlocks it.
import { Anchor, Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useInstallation } from '../../client/installation.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { useSession } from '../../client/session-context.ts';
import { keepPath } from '../state/keep-path.ts';
import { isWebUrl } from '../record/origin-host.tsx';
import { TextLink } from '../controls/text-link.tsx';
import { TierCommand } from './tier-command.tsx';

interface Props {
  /** In the plural: `Webhooks`. */
  feature: string;
  isAnonymous: boolean;
}

export function LockedNote({ feature, isAnonymous }: Props) {
  const { sendsMails } = useInstallation();
  return (
    <Paper withBorder p="lg" role="note" aria-label={`${feature} are locked`}>
      <Group wrap="nowrap" align="flex-start">
        <ThemeIcon variant="light" color="gray" size="lg" radius="xl">
          <IconLock size={18} aria-hidden />
        </ThemeIcon>
        <Stack gap={4} miw={0} flex={1}>
          <Text fw={600}>{isAnonymous ? `${feature} belong to accounts` : `${feature} are locked`}</Text>
          <Text size="sm" c="dimmed">
            {isAnonymous ? <KeepFirst /> : PAID_TIER}
            {!isAnonymous &&
              feature === 'Webhooks' &&
              sendsMails &&
              ' Mails to your own address need no paid tier.'}
          </Text>
          {!isAnonymous && <UpgradeLink />}
          {!isAnonymous && <TierCommand />}
        </Stack>
      </Group>
    </Paper>
  );
}

const PAID_TIER =
  'They unlock for the whole account once one of its records is on the tier watch or max. ' +
  'The operator of this service sets a record’s tier.';

/** If the operator has set one. */
function UpgradeLink() {
  const { upgradeUrl } = useInstallation();
  if (upgradeUrl === null || !isWebUrl(upgradeUrl)) return null;
  return (
    <Anchor href={upgradeUrl} size="sm" underline="always">
      Get a paid tier
    </Anchor>
  );
}

function KeepFirst() {
  const { signedIn } = useSignedIn();
  const session = useSession();
  return (
    <>
      <TextLink to={keepPath(signedIn, session?.id ?? '')}>
        {signedIn === null ? 'Sign up and keep this record' : 'Keep this record'}
      </TextLink>
      , with all of its history. They unlock once a record of your account is on the tier watch or max.
    </>
  );
}
