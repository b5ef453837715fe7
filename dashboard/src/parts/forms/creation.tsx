// Creates an object with a secret: a button, a form in a dialog, then the secret, shown once.
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isProblem } from '../../client/problem.ts';
import { Dialog } from '../controls/dialog.tsx';
import { LockedNote } from '../blocks/locked-note.tsx';

export interface CreationForm<Wanted> {
  isPending: boolean;
  error: unknown;
  onSubmit: (wanted: Wanted) => void;
  onCancel: () => void;
}

interface Props<Wanted, Made> {
  /** `key`: the button says *New key*. */
  what: string;
  /** In the plural, as the feature that a tier locks: `API keys`. */
  feature: string;
  create: (wanted: Wanted) => Promise<Made>;
  onCreated: (made: Made) => void;
  renderForm: (form: CreationForm<Wanted>) => ReactNode;
  /** Shown afterwards. Only its own button closes the dialog. */
  children: (made: Made, close: () => void) => ReactNode;
}

export function Creation<Wanted, Made>(props: Props<Wanted, Made>) {
  const { what, feature, create, onCreated, renderForm, children } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationFn: create,
    // Without a network it fails at once, instead of waiting in a dialog that cannot be closed.
    networkMode: 'always',
    onSuccess: onCreated,
  });
  const begin = (): void => {
    reset();
    open();
  };
  // What is being created cannot be cancelled, and its secret is shown only here.
  const leave = (): void => {
    if (!isPending) close();
  };
  const isMade = data !== undefined;
  const isLocked = isProblem(error, 'plan_required');
  return (
    <>
      <Button onClick={begin}>New {what}</Button>
      <Dialog
        isOpen={isOpen}
        title={isMade ? `Your new ${what}` : `New ${what}`}
        onClose={leave}
        holdsSecret={isMade}
        size="lg"
      >
        {isMade && children(data, close)}
        {isLocked && <LockedNote feature={feature} isAnonymous={false} />}
        {!isMade && !isLocked && renderForm({ isPending, error, onSubmit: mutate, onCancel: leave })}
      </Dialog>
    </>
  );
}
