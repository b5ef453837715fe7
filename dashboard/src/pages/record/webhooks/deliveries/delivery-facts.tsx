// A delivery's event, status and times.
import { Fact, Facts } from '../../../../parts/blocks/facts.tsx';
import { TextLink } from '../../../../parts/controls/text-link.tsx';
import { Ago } from '../../../../parts/figures/time.tsx';
import { useRecordPath } from '../../record-ref.ts';
import { DeliveryBadge } from './delivery-badge.tsx';
import type { Delivery } from '../webhook-model.ts';

export function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const path = useRecordPath();
  const { status, eventType, deltaEventId, isTest, createdAt, nextAttemptAt, finishedAt } = delivery;
  return (
    <Facts>
      <Fact name="Status">
        <DeliveryBadge status={status} />
      </Fact>
      <Fact name="Event">
        {eventType}
        {isTest && ', a test'}
        {deltaEventId !== null && !isTest && (
          <>
            : <TextLink to={`${path}/changes/${deltaEventId}`}>its rows</TextLink>
          </>
        )}
      </Fact>
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
