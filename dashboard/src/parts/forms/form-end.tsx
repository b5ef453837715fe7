// The end of a form in a dialog: faults that no field shows, and the buttons.
import { Button, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { isElsewhere } from './field-faults.ts';
import { ProblemNote } from '../blocks/problem-note.tsx';

interface Props {
  /** The button's text. */
  deed: string;
  isPending: boolean;
  isDisabled?: boolean;
  error: unknown;
  /** JSON pointers of the fields that show their own faults. */
  pointers: readonly string[];
  onCancel: () => void;
}

export function FormEnd({ deed, isPending, isDisabled = false, error, pointers, onCancel }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null) ref.current?.closest('form')?.querySelector<HTMLElement>(AT_FAULT)?.focus();
  }, [error]);
  return (
    <>
      {isElsewhere(error, pointers) && <ProblemNote error={error} />}
      <Group justify="flex-end" ref={ref}>
        <Button variant="default" disabled={isPending} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending} disabled={isDisabled}>
          {deed}
        </Button>
      </Group>
    </>
  );
}

/** Fields with a fault. The first one may be out of sight. */
const AT_FAULT = '[aria-invalid=true]';
