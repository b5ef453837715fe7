// The webhooks of a record.
import { Anchor, Skeleton } from '@mantine/core';
import { Empty } from '../../../parts/blocks/empty.tsx';
import { LockedNote } from '../../../parts/blocks/locked-note.tsx';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { Section } from '../../../parts/blocks/section.tsx';
import { useIsLocked } from '../../../parts/state/use-usage.ts';
import { useRecordRef } from '../record-ref.ts';
import { NewWebhook } from './endpoint/new-webhook.tsx';
import { ReceivingHelp } from './endpoint/receiving-help.tsx';
import { useWebhooks } from './webhook-queries.ts';
import { WebhookTable } from './webhook-table.tsx';

export function Component() {
  const ref = useRecordRef();
  const isAnonymous = ref === 'self';
  const isLocked = useIsLocked(!isAnonymous);
  return (
    <Section
      title="Webhooks"
      description={<Introduction />}
      actions={isAnonymous || isLocked ? undefined : <NewWebhook recordRef={ref} />}
    >
      {(isAnonymous || isLocked) && <LockedNote feature="Webhooks" isAnonymous={isAnonymous} />}
      {!isAnonymous && <List recordRef={ref} isLocked={isLocked} />}
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

function List({ recordRef, isLocked }: { recordRef: string; isLocked: boolean }) {
  const { data, error } = useWebhooks(recordRef);
  if (data === undefined) {
    return error === null ? (
      <Skeleton h={120} />
    ) : (
      <ProblemNote error={error} title="Could not load the webhooks" />
    );
  }
  if (data.webhooks.length > 0) return <WebhookTable webhooks={data.webhooks} />;
  if (isLocked) return null;
  return (
    <>
      <Empty title="No webhooks yet">
        Create a webhook with the URL of your endpoint, and send it a test. For a first try, use any tool that
        shows the requests it receives.
      </Empty>
      <ReceivingHelp />
    </>
  );
}
