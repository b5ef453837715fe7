// The end of a form in a window: what none of its fields can show is wrong, the way back, and the deed.
import { Button, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { isElsewhere } from './field-faults.ts';
import { ProblemNote } from '../blocks/problem-note.tsx';

interface Props {
  /** What the button says. */
  deed: string;
  isPending: boolean;
  isDisabled?: boolean;
  error: unknown;
  /** Of the fields that show their own faults. */
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
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending} disabled={isDisabled}>
          {deed}
        </Button>
      </Group>
    </>
  );
}

/** The first field at fault: it may be out of sight. */
const AT_FAULT = '[aria-invalid=true]';
