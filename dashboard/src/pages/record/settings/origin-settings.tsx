// The URL of the data, and the credentials for its origin.
import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { faultAt } from '../../../parts/forms/field-faults.ts';
import {
  CREDENTIAL_POINTERS,
  type CredentialDraft,
  credentialBody,
  NO_CREDENTIAL,
} from '../../../parts/forms/record-draft.ts';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { SettingsForm } from './settings-form.tsx';
import { useSettings } from './use-settings.ts';

const CredentialFields = lazy(async () => ({
  default: (await import('../../../parts/forms/credential-fields.tsx')).CredentialFields,
}));

const POINTERS = ['/url', ...CREDENTIAL_POINTERS];

export function OriginSettings({ record }: { record: TrackedRecord }) {
  const [typed, setTyped] = useState<string>();
  const url = typed ?? record.url;
  const [given, setGiven] = useState<CredentialDraft>();
  const { save, isPending, error, reset } = useSettings('Origin changed.');
  const undo = (): void => {
    setTyped(undefined);
    setGiven(undefined);
    reset();
  };
  const isOtherUrl = url !== record.url;
  // A secret is never sent to an origin that it was not given for.
  const areNeeded = isOtherUrl && record.auth.configured && originOf(url) !== originOf(record.url);
  const credentials = given ?? (areNeeded ? NO_CREDENTIAL : undefined);
  const change = { ...(isOtherUrl && { url }), ...(credentials && credentialBody(credentials)) };
  return (
    <SettingsForm
      title="Origin"
      description="A new URL or new credentials are checked at once."
      isChanged={isOtherUrl || credentials !== undefined}
      isPending={isPending}
      error={error}
      pointers={POINTERS}
      onSave={() => save(change, undo)}
      onUndo={undo}
    >
      <TextInput
        label="URL"
        value={url}
        required
        maxLength={2_048}
        spellCheck={false}
        error={faultAt(error, '/url')}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {areNeeded && (
        <Text size="sm" component="output">
          This URL has another origin, which does not get the current credentials. Enter them again, or choose
          none.
        </Text>
      )}
      {credentials === undefined ? (
        <Held type={record.auth.type} onChange={() => setGiven({ authType: record.auth.type })} />
      ) : (
        <Suspense fallback={<Skeleton h={61} />}>
          <CredentialFields draft={credentials} error={error} onChange={setGiven} />
        </Suspense>
      )}
    </SettingsForm>
  );
}

const KINDS = {
  none: 'None: the URL is public.',
  basic: 'A user name and a password are set. They are never shown.',
  bearer: 'A token is set. It is never shown.',
  api_key_header: 'An API key in a header is set. It is never shown.',
  api_key_query: 'An API key in the URL’s query is set. It is never shown.',
} as const;

function Held({ type, onChange }: { type: TrackedRecord['auth']['type']; onChange: () => void }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        Credentials for the origin
      </Text>
      <Group gap="sm">
        <Text size="sm">{KINDS[type]}</Text>
        <Button variant="default" size="compact-sm" onClick={onChange}>
          {type === 'none' ? 'Set credentials' : 'Replace credentials'}
        </Button>
      </Group>
    </Stack>
  );
}

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);
