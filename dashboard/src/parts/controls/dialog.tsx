// A dialog for one task.
import { onceOpen } from '../../on-demand/once-open.tsx';
import type { ShownDialogProps } from './shown-dialog.tsx';

const ShownDialog = onceOpen(async () => (await import('./shown-dialog.tsx')).ShownDialog);

type Props = Omit<ShownDialogProps, 'isOpen'> & { isOpen?: boolean };

export const Dialog = ({ isOpen = true, ...props }: Props) => <ShownDialog isOpen={isOpen} {...props} />;
