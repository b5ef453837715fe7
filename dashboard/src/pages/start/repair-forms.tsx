// The forms that repair a first check: credentials for an origin that refused, or how to read the body.
import { Button, Stack } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { CredentialFields } from '../../parts/forms/credential-fields.tsx';
import { isElsewhere } from '../../parts/forms/field-faults.ts';
import { FormatFields } from '../../parts/forms/format-fields.tsx';
import {
  ANY_FORMAT,
  CREDENTIAL_POINTERS,
  credentialBody,
  type CredentialDraft,
  FORMAT_POINTERS,
  formatBody,
} from '../../parts/forms/record-draft.ts';
import type { TrackedRecord } from '../../parts/record/record-state.ts';
import type { Repair } from './use-repair.ts';

interface Props {
  record: TrackedRecord;
  repair: Repair;
}

export function RepairCredentials({ record, repair }: Props) {
  const { type } = record.auth;
  const [draft, setDraft] = useState<CredentialDraft>({ authType: type === 'none' ? 'basic' : type });
  const { mutate, isPending, error, variables } = repair;
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

export function RepairFormat({ record, repair }: Props) {
  const [draft, setDraft] = useState({
    ...ANY_FORMAT,
    format: record.format ?? ANY_FORMAT.format,
    quoting: record.quoting,
  });
  const { mutate, isPending, error, variables } = repair;
  const isMine = variables !== undefined && 'format' in variables;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    // Empty fields are detected again.
    const detected = { format: null, delimiter: null, rowsPath: null, headerRow: null };
    mutate({ ...detected, quoting: 'double', ...formatBody(draft) });
  };
  return (
    <form onSubmit={submit} aria-label="Format">
      <Stack>
        <FormatFields draft={draft} onChange={setDraft} error={error} />
        {isMine && error !== null && isElsewhere(error, FORMAT_POINTERS) && <ProblemNote error={error} />}
        <Button type="submit" loading={isPending && isMine} style={{ alignSelf: 'flex-start' }}>
          Try this format
        </Button>
      </Stack>
    </form>
  );
}
