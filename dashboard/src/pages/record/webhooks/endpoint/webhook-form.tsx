// The fields of a webhook, to create one and to change one.
import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Confirmed, useConfirmation } from '../../../../parts/forms/confirmation.tsx';
import type { CreationForm } from '../../../../parts/forms/creation.tsx';
import { faultAt } from '../../../../parts/forms/field-faults.ts';
import { FormEnd } from '../../../../parts/forms/form-end.tsx';
import { endpointFault } from './endpoint-fault.ts';
import { FilterFields } from './filter-fields.tsx';
import { OwnSecretField } from './own-secret-field.tsx';
import type { WebhookDraft } from './webhook-draft.ts';
import { EVENT_TYPES, type EventType } from '../webhook-model.ts';

interface Props extends CreationForm<Confirmed<WebhookDraft>> {
  recordRef: string;
  initial: WebhookDraft;
  /** The button's text. */
  deed: string;
  /** Only at creation is a secret set. */
  takesSecret: boolean;
}

const FIELDS = ['/url', '/description', '/eventTypes', '/filters', '/secret'];

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
        <EventTypes
          value={draft.eventTypes}
          onChange={(eventTypes) => change({ eventTypes })}
          error={faultAt(error, '/eventTypes')}
        />
        {draft.eventTypes.includes('delta') && (
          <FilterFields recordRef={recordRef} draft={draft} onChange={change} error={error} />
        )}
        <Textarea
          label="Description"
          description="Optional: what the endpoint is for"
          autosize
          maxLength={500}
          value={draft.description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
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

const isWhole = ({ eventTypes, changeTypes }: WebhookDraft): boolean =>
  eventTypes.length > 0 && (changeTypes.length > 0 || !eventTypes.includes('delta'));

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
