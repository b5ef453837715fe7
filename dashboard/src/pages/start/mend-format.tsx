// How to read a body that could not be read.
import { Button, Stack } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { isElsewhere } from '../../parts/forms/field-faults.ts';
import { FormatFields } from '../../parts/forms/format-fields.tsx';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { ANY_FORMAT, FORMAT_POINTERS, formatBody } from '../../parts/forms/record-draft.ts';
import type { TrackedRecord } from '../../parts/record/record-state.ts';
import type { Mend } from './use-mending.ts';

export function MendFormat({ record, mend }: { record: TrackedRecord; mend: Mend }) {
  const [draft, setDraft] = useState({ ...ANY_FORMAT, format: record.format ?? ANY_FORMAT.format });
  const { mutate, isPending, error, variables } = mend;
  const isMine = variables !== undefined && 'format' in variables;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    // Empty fields are detected again.
    mutate({ format: null, delimiter: null, rowsPath: null, headerRow: null, ...formatBody(draft) });
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
