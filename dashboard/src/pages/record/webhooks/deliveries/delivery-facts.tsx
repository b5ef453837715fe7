// A delivery's event, status and times.
import { Fact, Facts } from '../../../../parts/blocks/facts.tsx';
import { TextLink } from '../../../../parts/controls/text-link.tsx';
import { Ago } from '../../../../parts/figures/time.tsx';
import { useRecordPath } from '../../../../parts/record/record-ref.ts';
import { DeliveryBadge } from './delivery-badge.tsx';
import type { Delivery } from '../webhook-model.ts';
import type { Owner } from '../webhook-queries.ts';
import { RecordLink } from './record-link.tsx';

export function DeliveryFacts({ owner, delivery }: { owner: Owner; delivery: Delivery }) {
  const ownPath = useRecordPath();
  const {
    sourceId,
    status,
    eventType,
    deltaEventId,
    isTest,
    condition,
    createdAt,
    nextAttemptAt,
    finishedAt,
  } = delivery;
  const path = owner === null ? `/records/${sourceId}` : ownPath;
  return (
    <Facts>
      <Fact name="Status">
        <DeliveryBadge status={status} />
      </Fact>
      {owner === null && (
        <Fact name="Record">
          <RecordLink id={sourceId} />
        </Fact>
      )}
      <Fact name="Event">
        {eventType}
        {isTest && ', a test'}
        {deltaEventId !== null && !isTest && (
          <>
            : <TextLink to={`${path}/changes/${deltaEventId}`}>its rows</TextLink>
          </>
        )}
      </Fact>
      {condition === 'undecided' && (
        <Fact name="Condition">undecided, because the event has more rows than are looked at</Fact>
      )}
      <Fact name="Created">
        <Ago at={createdAt} />
      </Fact>
      {nextAttemptAt !== null && (
        <Fact name="Next attempt">
          <Ago at={nextAttemptAt} />
        </Fact>
      )}
      {finishedAt !== null && (
        <Fact name="Finished">
          <Ago at={finishedAt} />
        </Fact>
      )}
    </Facts>
  );
}
