// A dialog for one task.
import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props extends Pick<ModalProps, 'size' | 'centered'> {
  isOpen?: boolean;
  title: string;
  onClose: () => void;
  /** The content is shown only once, so a stray click must not close the dialog. */
  holdsSecret?: boolean;
  children: ReactNode;
}

export const Dialog = ({ isOpen = true, title, onClose, holdsSecret = false, children, ...props }: Props) => (
  <Modal
    opened={isOpen}
    onClose={onClose}
    title={title}
    closeOnClickOutside={!holdsSecret}
    closeOnEscape={!holdsSecret}
    {...props}
  >
    {children}
  </Modal>
);
