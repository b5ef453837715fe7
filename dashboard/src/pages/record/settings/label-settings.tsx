// The record's labels.
import { TagsInput } from '@mantine/core';
import { faultAt } from '../../../parts/forms/field-faults.ts';
import { labelsOf, labelTexts } from '../../../parts/record/labels.ts';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { SettingsForm } from './settings-form.tsx';
import { useDraft } from './use-draft.ts';
import { useSettings } from './use-settings.ts';

const MAX_LABELS = 20;

export function LabelSettings({ record }: { record: TrackedRecord }) {
  const { value, set, isChanged, undo: forget } = useDraft({ texts: labelTexts(record.labels) });
  const { save, isPending, error, reset } = useSettings('Labels changed.');
  const undo = (): void => {
    forget();
    reset();
  };
  return (
    <SettingsForm
      title="Labels"
      description="The list of records, and the feed of events, can be limited to records with a label."
      isChanged={isChanged}
      isPending={isPending}
      error={error}
      pointers={['/labels']}
      onSave={() => save({ labels: labelsOf(value.texts) }, undo)}
      onUndo={undo}
    >
      <TagsInput
        label="Labels of this record"
        description="For example team:pricing. Press Enter after each."
        value={value.texts}
        onChange={(texts) => set({ texts })}
        maxTags={MAX_LABELS}
        splitChars={[]}
        isDuplicate={(text, texts) => texts.includes(text)}
        error={faultAt(error, '/labels')}
        clearable
        clearButtonProps={{ 'aria-label': 'Remove all labels' }}
      />
    </SettingsForm>
  );
}
