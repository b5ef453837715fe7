// One section of the settings: its fields, and a button that saves the changes.
import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { Section } from '../../../parts/blocks/section.tsx';
import { isElsewhere } from '../../../parts/forms/field-faults.ts';

interface Props {
  title: string;
  description?: ReactNode;
  /** Whether there is anything to save. */
  isChanged: boolean;
  isPending: boolean;
  error: unknown;
  /** JSON pointers of the fields that show their own faults. */
  pointers: readonly string[];
  onSave: () => void;
  onUndo: () => void;
  /** Scrolls to this section when the page opens. */
  isFirst?: boolean;
  /** Beside the save button. */
  action?: ReactNode;
  children: ReactNode;
}

export function SettingsForm(props: Props) {
  const { title, description, isChanged, isPending, error, pointers, onSave, onUndo, action, children } =
    props;
  const form = useRef<HTMLFormElement>(null);
  const { isFirst = false } = props;
  useEffect(() => {
    if (isFirst) form.current?.scrollIntoView({ block: 'center' });
  }, [isFirst]);
  return (
    <Section title={title} description={description}>
      <form
        ref={form}
        aria-label={title}
        onSubmit={(submitted) => {
          submitted.preventDefault();
          onSave();
        }}
      >
        <Stack maw={560}>
          {children}
          {error !== null && isElsewhere(error, pointers) && <ProblemNote error={error} />}
          <Group gap="xs">
            <Button type="submit" disabled={!isChanged} loading={isPending}>
              Save
            </Button>
            {action}
            {isChanged && (
              <Button variant="subtle" color="gray" onClick={onUndo}>
                Undo
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
