// The form for a new record: the URL first, and rarely needed fields folded away.
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Link } from 'react-router';
import { answerOf } from '../../client/answer-of.ts';
import { useApiClient } from '../../client/api-provider.tsx';
import { CredentialFields } from '../../parts/forms/credential-fields.tsx';
import { faultAt, isElsewhere } from '../../parts/forms/field-faults.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import type { TrackedRecord } from '../../parts/record/record-state.ts';
import { AdvancedFields } from './new-record-advanced.tsx';
import { EMPTY_DRAFT, newRecordBody, POINTERS } from './new-record-draft.ts';
import { IntervalField } from './new-record-interval.tsx';

export function NewRecordForm({ onCreated }: { onCreated: (record: TrackedRecord) => void }) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const { mutate, isPending, error } = useCreate(onCreated);
  const set = (change: Partial<typeof draft>): void => setDraft({ ...draft, ...change });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    mutate(newRecordBody(draft));
  };
  return (
    <form onSubmit={submit} aria-label="New record">
      <Stack gap="lg">
        <TextInput
          label="URL of the data"
          description="CSV, TSV, JSON or JSON Lines, compressed or not"
          placeholder="https://example.com/prices.csv"
          inputMode="url"
          spellCheck={false}
          data-autofocus
          value={draft.url}
          error={faultAt(error, '/url')}
          onChange={({ currentTarget }) => set({ url: currentTarget.value })}
        />
        <TextInput
          label="Name"
          description="Empty: taken from the URL"
          maxLength={200}
          value={draft.name}
          error={faultAt(error, '/name')}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        />
        <IntervalField value={draft.interval} onChange={(interval) => set({ interval })} error={error} />
        <CredentialFields
          draft={draft.credential}
          onChange={(credential) => set({ credential })}
          error={error}
        />
        <AdvancedFields draft={draft} onChange={set} error={error} />
        {error !== null && isElsewhere(error, POINTERS) && (
          <ProblemNote error={error} title="The record was not created" />
        )}
        <Group>
          <Button type="submit" loading={isPending}>
            Watch it
          </Button>
          <Button component={Link} to="/records" variant="default">
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useCreate(onCreated: (record: TrackedRecord) => void) {
  const api = useApiClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: ReturnType<typeof newRecordBody>) => {
      const params = { header: { Prefer: 'wait=20' } };
      return answerOf(api.POST('/v1/sources', { params, body }));
    },
    onSuccess: (record) => {
      void queries.invalidateQueries();
      onCreated(record);
    },
  });
}
