// Credentials for an origin that refused.
import { Button, Stack } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { CredentialFields } from '../../parts/forms/credential-fields.tsx';
import { isElsewhere } from '../../parts/forms/field-faults.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { CREDENTIAL_POINTERS, credentialBody, type CredentialDraft } from '../../parts/forms/record-draft.ts';
import type { TrackedRecord } from '../../parts/record/record-state.ts';
import type { Mend } from './use-mending.ts';

export function MendCredentials({ record, mend }: { record: TrackedRecord; mend: Mend }) {
  const { type } = record.auth;
  const [draft, setDraft] = useState<CredentialDraft>({ authType: type === 'none' ? 'basic' : type });
  const { mutate, isPending, error, variables } = mend;
  const isMine = variables?.authType !== undefined;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    mutate(credentialBody(draft));
  };
  return (
    <form onSubmit={submit} aria-label="Credentials">
      <Stack maw={640}>
        <CredentialFields draft={draft} onChange={setDraft} error={error} />
        {isMine && error !== null && isElsewhere(error, CREDENTIAL_POINTERS) && <ProblemNote error={error} />}
        <Button type="submit" loading={isPending && isMine} style={{ alignSelf: 'flex-start' }}>
          Fetch with these credentials
        </Button>
      </Stack>
    </form>
  );
}
