// After how long without a change the feed has an event.
import { TextInput } from '@mantine/core';
import { faultAt } from '../../../parts/forms/field-faults.ts';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { SettingsForm } from './settings-form.tsx';
import { useDraft } from './use-draft.ts';
import { useSettings } from './use-settings.ts';

/** What may be typed. */
const DIGITS = /^\d{0,4}$/;

export function QuietSettings({ record }: { record: TrackedRecord }) {
  const draft = useDraft({ quietHours: record.quietHours });
  const { save, isPending, error, reset } = useSettings('Quiet time changed.');
  const { value, set, changes, isChanged } = draft;
  const undo = (): void => {
    draft.undo();
    reset();
  };
  return (
    <SettingsForm
      title="Quiet time"
      description="The feed of events gets a record.quiet event once the data have not changed for this long. Webhooks have their own quiet time."
      isChanged={isChanged}
      isPending={isPending}
      error={error}
      pointers={['/quietHours']}
      onSave={() => save(changes, undo)}
      onUndo={undo}
    >
      <TextInput
        label="Hours without a change"
        description="From 1 to 8760. Empty: no event"
        value={value.quietHours ?? ''}
        inputMode="numeric"
        maw={240}
        error={faultAt(error, '/quietHours')}
        onChange={({ currentTarget: { value: typed } }) => {
          if (DIGITS.test(typed)) set({ quietHours: typed === '' ? null : Number(typed) });
        }}
      />
    </SettingsForm>
  );
}
