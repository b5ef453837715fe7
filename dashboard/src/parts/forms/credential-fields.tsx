// Credentials for the origin: one of five kinds, with its fields. Values are sent once and never shown.
import { NativeSelect, PasswordInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { faultAt } from './field-faults.ts';
import { AUTH_FIELDS, type AuthField, type AuthType, type CredentialDraft } from './record-draft.ts';

const KINDS: { value: AuthType; label: string }[] = [
  { value: 'none', label: 'None: the URL is public' },
  { value: 'basic', label: 'User name and password (Basic)' },
  { value: 'bearer', label: 'Token (Authorization: Bearer)' },
  { value: 'api_key_header', label: 'API key in a header' },
  { value: 'api_key_query', label: 'API key in the URL’s query' },
];

const LABELS: Readonly<Record<AuthField, string>> = {
  authUsername: 'User name',
  authPassword: 'Password',
  authToken: 'Token',
  authHeaderName: 'Name of the header',
  authHeaderValue: 'Value of the header',
  authQueryParam: 'Name of the parameter',
  authQueryValue: 'Value of the parameter',
};

const EXAMPLES: Partial<Record<AuthField, string>> = {
  authHeaderName: 'X-Api-Key',
  authQueryParam: 'api_key',
};

const isSecret = (field: AuthField): boolean => /Password|Token|Value/.test(field);

interface Props {
  draft: CredentialDraft;
  onChange: (draft: CredentialDraft) => void;
  /** The API's answer, for faults of these fields. */
  error: unknown;
}

export function CredentialFields({ draft, onChange, error }: Props) {
  return (
    <Stack gap="sm">
      <NativeSelect
        label="Credentials for the origin"
        description="Encrypted at rest, sent only to this origin, and never shown again."
        data={KINDS}
        value={draft.authType}
        error={faultAt(error, '/authType')}
        onChange={({ currentTarget }) => {
          const kind = KINDS.find(({ value }) => value === currentTarget.value);
          onChange({ authType: kind?.value ?? 'none' });
        }}
      />
      <SimpleGrid cols={{ base: 1, xs: AUTH_FIELDS[draft.authType].length > 1 ? 2 : 1 }} spacing="sm">
        {AUTH_FIELDS[draft.authType].map((field) => (
          <Field
            key={field}
            field={field}
            value={draft[field] ?? ''}
            error={faultAt(error, `/${field}`)}
            onChange={(value) => onChange({ ...draft, [field]: value })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

interface FieldProps {
  field: AuthField;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function Field({ field, value, error, onChange }: FieldProps) {
  const props = {
    label: LABELS[field],
    placeholder: EXAMPLES[field],
    value,
    error,
    // These belong to the origin, not to this service, so password managers should ignore them.
    autoComplete: 'off',
    'data-1p-ignore': true,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  if (!isSecret(field)) return <TextInput {...props} />;
  return (
    <PasswordInput
      {...props}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': `Show: ${LABELS[field]}` }}
      visibilityToggleFocusable
    />
  );
}
