// The form for a new key.
import { Group, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Confirmed, useConfirmation } from '../forms/confirmation.tsx';
import type { CreationForm } from '../forms/creation.tsx';
import { faultAt } from '../forms/field-faults.ts';
import { FormEnd } from '../forms/form-end.tsx';
import { EXPIRIES, type Expiry, expiryTime } from './expiry.ts';
import type { NewKey, Scope } from './key-resource.ts';

const MEANINGS: Record<Scope, string> = {
  full: 'Everything: create and change records, keys and webhooks, and read',
  read: 'Read the record, its changes and rows, and download',
  download: 'Download snapshots as files, and nothing else',
  feed: 'Read changes in a feed reader or in a chat’s RSS app: it becomes part of an address',
};

interface Props extends CreationForm<Confirmed<NewKey>> {
  scopes: readonly Scope[];
}

export function NewKeyForm({ scopes, isPending, error, onSubmit, onCancel }: Props) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('read');
  const [expiry, setExpiry] = useState<Expiry>('never');
  const [day, setDay] = useState('');
  const confirmation = useConfirmation(error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const expiresAt = expiryTime(expiry, day);
    onSubmit({
      name,
      scope,
      ...(expiresAt !== undefined && { expiresAt }),
      ...confirmation.given,
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          description="Who or what will use it"
          placeholder="Price board"
          required
          maxLength={200}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={faultAt(error, '/name')}
        />
        <ScopeChoice scopes={scopes} value={scope} onChange={setScope} error={faultAt(error, '/scope')} />
        <ExpiryChoice
          value={expiry}
          day={day}
          error={faultAt(error, '/expiresAt')}
          onChange={setExpiry}
          onDay={setDay}
        />
        {confirmation.field}
        <FormEnd
          deed="Create key"
          isPending={isPending}
          error={confirmation.remainingError}
          pointers={[...FIELDS, confirmation.pointer]}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

const FIELDS = ['/name', '/scope', '/expiresAt'];

const expiryOf = (value: string): Expiry => EXPIRIES.find((each) => each.value === value)?.value ?? 'never';

interface ExpiryProps {
  value: Expiry;
  day: string;
  error: string | undefined;
  onChange: (expiry: Expiry) => void;
  onDay: (day: string) => void;
}

const ExpiryChoice = ({ value, day, error, onChange, onDay }: ExpiryProps) => (
  <Group align="flex-end" grow preventGrowOverflow={false}>
    <NativeSelect
      label="Expires"
      value={value}
      data={EXPIRIES.map((each) => ({ value: each.value, label: each.label }))}
      onChange={({ currentTarget }) => onChange(expiryOf(currentTarget.value))}
      error={error}
    />
    {value === 'date' && (
      <TextInput
        type="date"
        label="Expiry date"
        required
        value={day}
        onChange={({ currentTarget }) => onDay(currentTarget.value)}
      />
    )}
  </Group>
);

interface ScopeProps {
  scopes: readonly Scope[];
  value: Scope;
  onChange: (scope: Scope) => void;
  error: string | undefined;
}

const ScopeChoice = ({ scopes, value, onChange, error }: ScopeProps) => (
  <Radio.Group
    label="Scope"
    description="Choose the narrowest that is enough"
    value={value}
    onChange={(chosen) => onChange(scopes.find((scope) => scope === chosen) ?? 'read')}
    error={error}
  >
    <Stack gap="xs" mt="xs">
      {scopes.map((scope) => (
        <Radio key={scope} value={scope} label={scope} description={MEANINGS[scope]} />
      ))}
    </Stack>
  </Radio.Group>
);
