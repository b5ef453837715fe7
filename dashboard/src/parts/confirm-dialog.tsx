// Asks before something is done that is not easily undone.
import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemNote } from './problem-note.tsx';

interface Props {
  isOpen: boolean;
  title: string;
  /** What the button says: the deed, `Delete the record`. */
  deed: string;
  color?: string;
  isPending?: boolean;
  isDisabled?: boolean;
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function ConfirmDialog(props: Props) {
  const { isOpen, title, deed, color, isPending = false, isDisabled = false, error, children } = props;
  const { onConfirm, onClose } = props;
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
      centered
      styles={{ title: { fontWeight: 600 } }}
    >
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          onConfirm();
        }}
      >
        <Stack>
          {children}
          <ProblemNote error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" {...(color && { color })} loading={isPending} disabled={isDisabled}>
              {deed}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
