// What a dialog consists of.
import { Modal, type ModalProps } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';

export interface ShownDialogProps extends Pick<ModalProps, 'size' | 'centered'> {
  isOpen: boolean;
  title: string;
  onClose: () => void;
  /** The content is shown only once, so a stray click must not close the dialog. */
  holdsSecret?: boolean;
  children: ReactNode;
}

export function ShownDialog(props: ShownDialogProps) {
  const { isOpen, title, onClose, holdsSecret = false, children, ...others } = props;
  const isMounted = useMounted();
  return (
    <Modal
      opened={isOpen && isMounted}
      onClose={onClose}
      title={title}
      closeOnClickOutside={!holdsSecret}
      closeOnEscape={!holdsSecret}
      {...others}
    >
      {children}
    </Modal>
  );
}
