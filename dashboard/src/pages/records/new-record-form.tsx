// The form for a new record: the URL first, a preview of its data, and rarely needed fields folded away.
import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, type SyntheticEvent, useState } from 'react';
import { Link } from 'react-router';
import { answerOf } from '../../client/answer-of.ts';
import { useApiClient } from '../../client/api-provider.tsx';
import { CredentialFields } from '../../parts/forms/credential-fields.tsx';
import { faultAt, isElsewhere } from '../../parts/forms/field-faults.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import type { TrackedRecord } from '../../parts/record/record-state.ts';
import { AdvancedFields } from './new-record-advanced.tsx';
import { EMPTY_DRAFT, newRecordBody, POINTERS } from './new-record-draft.ts';
import { usePreview } from './use-preview.ts';
import { IntervalField } from './new-record-interval.tsx';

export function NewRecordForm({ onCreated }: { onCreated: (record: TrackedRecord) => void }) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const creation = useCreate(onCreated);
  const previewing = usePreview(draft);
  const { preview, isCurrent } = previewing;
  // Of the two, the one that was sent last.
  const error = creation.error ?? previewing.error;
  const isReady = isCurrent && preview?.error === null;
  const set = (change: Partial<typeof draft>): void => setDraft({ ...draft, ...change });
  const create = (): void => creation.mutate(newRecordBody(draft));
  const show = (): void => {
    creation.reset();
    previewing.show();
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (isReady) create();
    else show();
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
        <CredentialFields
          draft={draft.credential}
          onChange={(credential) => set({ credential })}
          error={error}
        />
        <AdvancedFields draft={draft} columns={preview?.columns ?? []} onChange={set} error={error} />
        <PreviewStep previewing={previewing} isReady={isReady} onShow={show} />
        <TextInput
          label="Name"
          description="Empty: taken from the URL"
          maxLength={200}
          value={draft.name}
          error={faultAt(error, '/name')}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        />
        <IntervalField value={draft.interval} onChange={(interval) => set({ interval })} error={error} />
        {error !== null && isElsewhere(error, POINTERS) && (
          <ProblemNote
            error={error}
            title={creation.error === null ? 'There is no preview' : 'The record was not created'}
          />
        )}
        <SaveStep isReady={isReady} isPending={creation.isPending} onSave={create} />
      </Stack>
    </form>
  );
}

const PreviewOfRecord = lazy(() => import('./record-preview.tsx'));

interface PreviewStepProps {
  previewing: ReturnType<typeof usePreview>;
  /** There is a preview of the present settings, and a check of them would succeed. Enter then saves. */
  isReady: boolean;
  onShow: () => void;
}

const PreviewStep = ({ previewing, isReady, onShow }: PreviewStepProps) => (
  <>
    <Group>
      <Button
        type={isReady ? 'button' : 'submit'}
        variant={isReady ? 'default' : 'filled'}
        loading={previewing.isPending}
        onClick={isReady ? onShow : undefined}
      >
        {previewing.preview === undefined ? 'Preview' : 'Preview again'}
      </Button>
      <Text size="sm" c="dimmed" component="output">
        {previewing.isPending
          ? 'Fetching the data and reading its rows…'
          : 'Fetches the data once and shows what would be watched. Nothing is saved.'}
      </Text>
    </Group>
    {previewing.preview !== undefined && (
      <Suspense fallback={<Skeleton h={240} />}>
        <PreviewOfRecord preview={previewing.preview} isCurrent={previewing.isCurrent} />
      </Suspense>
    )}
  </>
);

interface SaveStepProps {
  isReady: boolean;
  isPending: boolean;
  onSave: () => void;
}

/** Also without a preview: large data takes longer than one may. */
const SaveStep = ({ isReady, isPending, onSave }: SaveStepProps) => (
  <Group>
    <Button
      type={isReady ? 'submit' : 'button'}
      variant={isReady ? 'filled' : 'default'}
      loading={isPending}
      onClick={isReady ? undefined : onSave}
    >
      Watch it
    </Button>
    <Button component={Link} to="/records" variant="default">
      Cancel
    </Button>
  </Group>
);

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
