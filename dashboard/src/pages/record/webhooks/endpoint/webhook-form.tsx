// The fields of a webhook, to create one and to change one.
import { Checkbox, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Confirmed, useConfirmation } from '../../../../parts/forms/confirmation.tsx';
import type { CreationForm } from '../../../../parts/forms/creation.tsx';
import { faultAt } from '../../../../parts/forms/field-faults.ts';
import { FormEnd } from '../../../../parts/forms/form-end.tsx';
import { conditionOf } from './condition/condition-draft.ts';
import { FormatField } from './format-field.tsx';
import { OwnSecretField } from './own-secret-field.tsx';
import { ReceivingHelp } from './receiving-help.tsx';
import { SendingFields } from './sending-fields.tsx';
import { SourcesFields } from './sources-fields.tsx';
import { TargetField } from './target-field.tsx';
import { type WebhookDraft, withFormat } from './webhook-draft.ts';
import type { Owner } from '../webhook-queries.ts';
import { EVENT_TYPES, type EventType, isMessage } from '../webhook-model.ts';

interface Props extends CreationForm<Confirmed<WebhookDraft>> {
  /** Suggests its columns; null: the webhook is for several records. */
  recordRef: Owner;
  initial: WebhookDraft;
  /** The button's text. */
  deed: string;
  /** Only at creation is a secret set. */
  takesSecret: boolean;
  /** Whether it has to send mails, or may not. */
  means: 'mail' | 'request' | null;
}

const FIELDS = [
  '/url',
  '/sources',
  '/description',
  '/eventTypes',
  '/filters',
  '/condition',
  '/format',
  '/include',
  '/fields',
  '/maxBodyBytes',
  '/ordered',
  '/onFailure',
  '/quietHours',
  '/failingAfter',
  '/digest',
  '/secret',
];

export function WebhookForm(props: Props) {
  const { recordRef, initial, deed, takesSecret, means, isPending, error, onSubmit, onCancel } = props;
  const [draft, setDraft] = useState(initial);
  const confirmation = useConfirmation(error);
  const change = (changes: Partial<WebhookDraft>): void => setDraft({ ...draft, ...changes });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit({ ...draft, ...confirmation.given });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <FormatField
          value={draft.format}
          onChange={(format) => change(withFormat(draft, format))}
          means={means}
          error={faultAt(error, '/format')}
        />
        {takesSecret && !isMessage(draft.format) && <ReceivingHelp />}
        <TargetField draft={draft} onChange={change} error={error} />
        {draft.sources && (
          <SourcesFields sources={draft.sources} onChange={(sources) => change({ sources })} error={error} />
        )}
        <EventTypes
          value={draft.eventTypes}
          onChange={(eventTypes) => change({ eventTypes })}
          error={faultAt(error, '/eventTypes')}
        />
        <SendingFields recordRef={recordRef} draft={draft} onChange={change} error={error} />
        <Description
          value={draft.description}
          onChange={(description) => change({ description })}
          error={faultAt(error, '/description')}
        />
        {takesSecret && !isMessage(draft.format) && (
          <OwnSecretField
            value={draft.secret}
            onChange={(secret) => change({ secret })}
            error={faultAt(error, '/secret')}
          />
        )}
        {confirmation.field}
        <FormEnd
          deed={deed}
          isPending={isPending}
          isDisabled={!isWhole(draft)}
          error={confirmation.remainingError}
          pointers={[...FIELDS, confirmation.pointer]}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

const isWhole = ({ eventTypes, changeTypes, condition, sources }: WebhookDraft): boolean =>
  eventTypes.length > 0 &&
  ((changeTypes.length > 0 && conditionOf(condition) !== undefined) || !eventTypes.includes('delta')) &&
  (sources === undefined || sources.kind === 'all' || sources[sources.kind].length > 0);

interface DescriptionProps {
  value: string;
  onChange: (description: string) => void;
  error: string | undefined;
}

const Description = ({ value, onChange, error }: DescriptionProps) => (
  <Textarea
    label="Description"
    description="Optional: what the endpoint is for"
    autosize
    maxLength={500}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    error={error}
  />
);

interface EventTypesProps {
  value: EventType[];
  onChange: (eventTypes: EventType[]) => void;
  error: string | undefined;
}

const EventTypes = ({ value, onChange, error }: EventTypesProps) => (
  <Checkbox.Group
    label="Events to send"
    value={value}
    onChange={(chosen) =>
      onChange(EVENT_TYPES.map(({ value }) => value).filter((each) => chosen.includes(each)))
    }
    error={value.length === 0 ? 'Choose at least one.' : error}
  >
    <Stack gap="xs" mt={6}>
      {EVENT_TYPES.map(({ value, meaning }) => (
        <Checkbox key={value} value={value} label={meaning} description={value} />
      ))}
    </Stack>
  </Checkbox.Group>
);
