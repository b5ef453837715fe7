// The fields of a webhook, to create one and to change one.
import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Confirmed, useConfirmation } from '../../../../parts/forms/confirmation.tsx';
import type { CreationForm } from '../../../../parts/forms/creation.tsx';
import { faultAt } from '../../../../parts/forms/field-faults.ts';
import { FormEnd } from '../../../../parts/forms/form-end.tsx';
import { conditionOf } from './condition/condition-draft.ts';
import { endpointFault } from './endpoint-fault.ts';
import { OwnSecretField } from './own-secret-field.tsx';
import { SendingFields } from './sending-fields.tsx';
import { SourcesFields } from './sources-fields.tsx';
import type { WebhookDraft } from './webhook-draft.ts';
import type { Owner } from '../webhook-queries.ts';
import { EVENT_TYPES, type EventType } from '../webhook-model.ts';

interface Props extends CreationForm<Confirmed<WebhookDraft>> {
  /** Suggests its columns; null: the webhook is for several records. */
  recordRef: Owner;
  initial: WebhookDraft;
  /** The button's text. */
  deed: string;
  /** Only at creation is a secret set. */
  takesSecret: boolean;
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
  '/secret',
];

export function WebhookForm(props: Props) {
  const { recordRef, initial, deed, takesSecret, isPending, error, onSubmit, onCancel } = props;
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
        <TextInput
          label="Endpoint URL"
          description="Events are sent here by POST. The endpoint must answer 2xx within 15 seconds."
          placeholder="https://example.com/hooks/recordwatch"
          type="url"
          required
          data-autofocus
          value={draft.url}
          onChange={({ currentTarget }) => change({ url: currentTarget.value })}
          error={endpointFault(error, draft.url)}
        />
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
        {takesSecret && (
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
