// The record's name and slug.
import { TextInput } from '@mantine/core';
import { faultAt } from '../../../parts/forms/field-faults.ts';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { SettingsForm } from './settings-form.tsx';
import { useDraft } from './use-draft.ts';
import { useSettings } from './use-settings.ts';

export function GeneralSettings({ record }: { record: TrackedRecord }) {
  const draft = useDraft({ name: record.name, slug: record.slug });
  const { save, isPending, error, reset } = useSettings('Name changed.');
  const { value, set, changes, isChanged } = draft;
  const undo = (): void => {
    draft.undo();
    reset();
  };
  return (
    <SettingsForm
      title="Name"
      isChanged={isChanged}
      isPending={isPending}
      error={error}
      pointers={['/name', '/slug']}
      onSave={() => save(changes, undo)}
      onUndo={undo}
    >
      <TextInput
        label="Name"
        value={value.name}
        maxLength={200}
        required
        error={faultAt(error, '/name')}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      {record.tier !== 'anonymous' && (
        <TextInput
          label="Slug"
          description="Names the record in addresses of the API and of this page. Links with the old slug stop working."
          value={value.slug}
          maxLength={63}
          required
          spellCheck={false}
          error={faultAt(error, '/slug')}
          onChange={({ currentTarget }) => set({ slug: currentTarget.value })}
        />
      )}
    </SettingsForm>
  );
}
