// Who is told of changes.
import { Anchor, Skeleton } from '@mantine/core';
import { Empty } from '../../../parts/empty.tsx';
import { LockedNote } from '../../../parts/locked-note.tsx';
import { ProblemNote } from '../../../parts/problem-note.tsx';
import { Section } from '../../../parts/section.tsx';
import { useIsLocked } from '../../../parts/use-usage.ts';
import { useRecordRef } from '../record-ref.ts';
import { NewWebhook } from './new-webhook.tsx';
import { ReceivingHelp } from './receiving-help.tsx';
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
    Changes are sent to an endpoint of yours as they are found: signed, tried again for three days, and kept
    to be sent again. Which words a body has stands in the{' '}
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
      <ProblemNote error={error} title="The webhooks cannot be shown" />
    );
  }
  if (data.webhooks.length > 0) return <WebhookTable webhooks={data.webhooks} />;
  if (isLocked) return null;
  return (
    <>
      <Empty title="Nobody is told yet">
        Make a webhook with the URL of an endpoint, and send it a test. For a first try, any tool that shows
        the requests that it gets will do.
      </Empty>
      <ReceivingHelp />
    </>
  );
}
