// After how long without a change the feed has an event.
import { NumberInput } from '@mantine/core';
import { faultAt } from '../../../parts/forms/field-faults.ts';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { SettingsForm } from './settings-form.tsx';
import { useDraft } from './use-draft.ts';
import { useSettings } from './use-settings.ts';

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
      <NumberInput
        label="Hours without a change"
        description="Empty: no event"
        min={1}
        max={8_760}
        allowDecimal={false}
        allowNegative={false}
        maw={240}
        value={value.quietHours ?? ''}
        onChange={(hours) => set({ quietHours: typeof hours === 'number' ? hours : null })}
        error={faultAt(error, '/quietHours')}
      />
    </SettingsForm>
  );
}
