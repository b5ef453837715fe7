// A button for an irreversible action: it says what will happen and asks for confirmation.
import { Button, type ButtonProps, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from '../controls/dialog.tsx';
import { ProblemNote } from '../blocks/problem-note.tsx';

interface Props extends ButtonProps {
  children: string;
  /** The button's full name, if its text is ambiguous: `Revoke key Price board`. */
  label?: string;
  title: string;
  explanation: ReactNode;
  /** The text of the confirming button: `Revoke key`. */
  confirm: string;
  onConfirm: () => Promise<unknown>;
}

export function ConfirmButton({ label, title, explanation, confirm, onConfirm, ...button }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: onConfirm, onSuccess: close });
  const begin = (): void => {
    reset();
    open();
  };
  return (
    <>
      <Button variant="default" onClick={begin} {...(label && { 'aria-label': label })} {...button} />
      <Dialog isOpen={isOpen} title={title} onClose={close} centered>
        <Stack>
          <Text size="sm" component="div">
            {explanation}
          </Text>
          <ProblemNote error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button color="red" loading={isPending} onClick={() => mutate()}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
