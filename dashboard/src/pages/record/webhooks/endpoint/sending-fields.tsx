// Which deltas are sent, what they say of their rows, when messages are sent, and the order.
import { faultAt } from '../../../../parts/forms/field-faults.ts';
import { ConditionFields } from './condition-fields.tsx';
import { BodyFields } from './body-fields.tsx';
import { DigestFields } from './digest-fields.tsx';
import { FailingAfterField } from './failing-after-field.tsx';
import { FilterFields } from './filter-fields.tsx';
import { OrderFields } from './order-fields.tsx';
import { QuietField } from './quiet-field.tsx';
import { mayDigest, type WebhookDraft } from './webhook-draft.ts';
import type { Owner } from '../webhook-queries.ts';

interface Props {
  /** Suggests its columns; null: the webhook is for several records. */
  recordRef: Owner;
  draft: WebhookDraft;
  onChange: (changes: Partial<WebhookDraft>) => void;
  error: unknown;
}

export const SendingFields = ({ recordRef, draft, onChange, error }: Props) => (
  <>
    {draft.eventTypes.includes('delta') && (
      <>
        <FilterFields recordRef={recordRef} draft={draft} onChange={onChange} error={error} />
        <ConditionFields recordRef={recordRef} draft={draft} onChange={onChange} error={error} />
        <BodyFields recordRef={recordRef} draft={draft} onChange={onChange} error={error} />
      </>
    )}
    {draft.eventTypes.includes('record.quiet') && (
      <QuietField
        value={draft.quietHours}
        onChange={(quietHours) => onChange({ quietHours })}
        error={faultAt(error, '/quietHours')}
      />
    )}
    {draft.eventTypes.includes('check.failed') && (
      <FailingAfterField
        value={draft.failingAfter}
        onChange={(failingAfter) => onChange({ failingAfter })}
        error={faultAt(error, '/failingAfter')}
      />
    )}
    {mayDigest(draft) && <DigestFields draft={draft} onChange={onChange} error={error} />}
    <OrderFields draft={draft} onChange={onChange} error={error} />
  </>
);
