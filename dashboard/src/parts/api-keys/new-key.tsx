// The way to a new key: what it is for, what it may do, until when; then its value, once.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { isProblem } from '../../client/problem.ts';
import { Dialog } from '../dialog.tsx';
import { LockedNote } from '../locked-note.tsx';
import { ShownOnce } from '../shown-once.tsx';
import { type KeyDoor, type NewKey, useRefreshKeys } from './key-door.ts';
import { NewKeyForm } from './new-key-form.tsx';

interface Props {
  door: KeyDoor;
  /** Tells what becomes of the value elsewhere on the page. */
  afterwards?: string | undefined;
  onCreated?: (key: string) => void;
}

export function NewKey({ door, afterwards, onCreated }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  const refresh = useRefreshKeys(door);
  const creation = useMutation({
    mutationFn: (wanted: NewKey) => door.create(wanted),
    onSuccess: (key) => {
      onCreated?.(key);
      void refresh();
    },
  });
  const begin = (): void => {
    creation.reset();
    open();
  };
  const isMade = creation.data !== undefined;
  return (
    <>
      <Button onClick={begin}>New key</Button>
      <Dialog
        isOpen={isOpen}
        title={isMade ? 'Your new key' : 'New key'}
        onClose={close}
        holdsSecret={isMade}
        size="lg"
      >
        {creation.data && <Created value={creation.data} afterwards={afterwards} onDone={close} />}
        {!isMade && isProblem(creation.error, 'plan_required') && (
          <LockedNote feature="API keys" isAnonymous={false} />
        )}
        {!isMade && !isProblem(creation.error, 'plan_required') && (
          <NewKeyForm
            scopes={door.scopes}
            isPending={creation.isPending}
            error={creation.error}
            onSubmit={creation.mutate}
            onCancel={close}
          />
        )}
      </Dialog>
    </>
  );
}

interface CreatedProps {
  value: string;
  afterwards: string | undefined;
  onDone: () => void;
}

const Created = ({ value, afterwards, onDone }: CreatedProps) => (
  <Stack>
    <ShownOnce value={value} what="the key" />
    {afterwards !== undefined && <Text size="sm">{afterwards}</Text>}
    <Group justify="flex-end">
      <Button onClick={onDone}>Done</Button>
    </Group>
  </Stack>
);
