// The form for a new key.
import { Group, NativeSelect, PasswordInput, Radio, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { isProblem } from '../../client/problem.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import type { CreationForm } from '../forms/creation.tsx';
import { faultAt } from '../forms/field-faults.ts';
import { FormEnd } from '../forms/form-end.tsx';
import { EXPIRIES, type Expiry, expiryTime } from './expiry.ts';
import type { NewKey, Scope } from './key-resource.ts';

const MEANINGS: Record<Scope, string> = {
  full: 'Everything: create and change records, keys and webhooks, and read',
  read: 'Read the record, its changes and rows, and download',
  download: 'Download snapshots as files, and nothing else',
};

/** With the password of who signed in too long ago. */
export type Confirmed<Wanted> = Wanted & { currentPassword?: string };

interface Props extends CreationForm<Confirmed<NewKey>> {
  scopes: readonly Scope[];
}

export function NewKeyForm({ scopes, isPending, error, onSubmit, onCancel }: Props) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('read');
  const [expiry, setExpiry] = useState<Expiry>('never');
  const [day, setDay] = useState('');
  const [currentPassword, setCurrentPassword] = useState<string>();
  const { signedIn } = useSignedIn();
  const isTooOld = isProblem(error, 'recent_sign_in_required') && signedIn?.user.hasPassword === true;
  // Asked for from then on.
  if (isTooOld && currentPassword === undefined) setCurrentPassword('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const expiresAt = expiryTime(expiry, day);
    onSubmit({
      name,
      scope,
      ...(expiresAt !== undefined && { expiresAt }),
      ...(currentPassword !== undefined && { currentPassword }),
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
        <Confirmation value={currentPassword} error={error} onChange={setCurrentPassword} />
        <FormEnd
          deed="Create key"
          isPending={isPending}
          error={isTooOld ? null : error}
          pointers={FIELDS}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

const FIELDS = ['/name', '/scope', '/expiresAt', '/currentPassword'];

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

interface ConfirmationProps {
  /** Undefined: not asked for. */
  value: string | undefined;
  error: unknown;
  onChange: (password: string) => void;
}

const Confirmation = ({ value, error, onChange }: ConfirmationProps) =>
  value !== undefined && (
    <PasswordInput
      label="Your password"
      description="You signed in more than 15 minutes ago"
      autoComplete="current-password"
      required
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={faultAt(error, '/currentPassword')}
    />
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
