// The webhooks of a record or of the account, and what to do while there are none.
import { Skeleton } from '@mantine/core';
import { Empty } from '../../../parts/blocks/empty.tsx';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { ReceivingHelp } from './endpoint/receiving-help.tsx';
import { type Owner, useWebhooks } from './webhook-queries.ts';
import { WebhookTable } from './webhook-table.tsx';

export function WebhookList({ owner, isLocked }: { owner: Owner; isLocked: boolean }) {
  const { data, error } = useWebhooks(owner);
  if (data === undefined) {
    return error === null ? (
      <Skeleton h={120} />
    ) : (
      <ProblemNote error={error} title="Could not load the webhooks" />
    );
  }
  if (data.webhooks.length > 0) return <WebhookTable owner={owner} webhooks={data.webhooks} />;
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
