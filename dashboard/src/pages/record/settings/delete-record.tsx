// Deletes the record with its whole history, after the user has typed its name.
import { shownName } from '../../../client/shown-name.ts';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { dropSession } from '../../../client/credentials.ts';
import { Dialog } from '../../../parts/controls/dialog.tsx';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { Section } from '../../../parts/blocks/section.tsx';
import { useApiClient } from '../../../client/api-provider.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';

export function DeleteRecord({ record }: { record: TrackedRecord }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Section
      title="Delete"
      description="The record is erased with its snapshots, events, keys and webhooks. This cannot be undone."
    >
      <Group>
        <Button color="red" variant="outline" onClick={open}>
          Delete this record
        </Button>
      </Group>
      <Dialog isOpen={isOpen} onClose={close} title="Delete this record?" centered>
        <DeleteForm record={record} onCancel={close} />
      </Dialog>
    </Section>
  );
}

function DeleteForm({ record, onCancel }: { record: TrackedRecord; onCancel: () => void }) {
  const [typed, setTyped] = useState('');
  const { mutate, isPending, error } = useDelete(record);
  return (
    <form
      onSubmit={(submitted) => {
        submitted.preventDefault();
        mutate();
      }}
    >
      <Stack>
        <Text size="sm">
          All of its history is erased too. To confirm, type its name: <b>{shownName(record.name)}</b>
        </Text>
        <TextInput
          label="Name of the record"
          value={typed}
          autoComplete="off"
          data-autofocus
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <ProblemNote error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            color="red"
            loading={isPending}
            disabled={shownName(typed).trim() !== shownName(record.name).trim()}
          >
            Delete record
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useDelete({ id, tier }: TrackedRecord) {
  const api = useApiClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api.DELETE('/v1/sources/{id}', { params: { path: { id } } }),
    onSuccess: async () => {
      const isAnonymous = tier === 'anonymous';
      if (isAnonymous) dropSession(id);
      await navigate(isAnonymous ? '/' : '/records', { replace: true });
      queries.clear();
    },
  });
}
