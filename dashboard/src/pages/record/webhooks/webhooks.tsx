// The webhooks of a record.
import { Anchor } from '@mantine/core';
import { useInstallation } from '../../../client/installation.ts';
import { LockedNote } from '../../../parts/blocks/locked-note.tsx';
import { Section } from '../../../parts/blocks/section.tsx';
import { useIsLocked } from '../../../parts/state/use-usage.ts';
import { useRecordRef } from '../../../parts/record/record-ref.ts';
import { NewWebhook } from './endpoint/new-webhook.tsx';
import { WebhookList } from './webhook-list.tsx';

export function Component() {
  const ref = useRecordRef();
  const isAnonymous = ref === 'self';
  const isLocked = useIsLocked(!isAnonymous);
  const { sendsMails } = useInstallation();
  return (
    <Section
      title="Webhooks"
      description={<Introduction />}
      actions={
        isAnonymous || (isLocked && !sendsMails) ? undefined : <NewWebhook owner={ref} onlyMails={isLocked} />
      }
    >
      {(isAnonymous || isLocked) && <LockedNote feature="Webhooks" isAnonymous={isAnonymous} />}
      {!isAnonymous && <WebhookList owner={ref} isLocked={isLocked} />}
    </Section>
  );
}

const Introduction = () => (
  <>
    Changes are sent to your endpoint when they are found. Deliveries are signed, retried for three days, and
    can be sent again later. The format is in the{' '}
    <Anchor href="/docs" underline="always" inherit>
      reference
    </Anchor>
    .
  </>
);
