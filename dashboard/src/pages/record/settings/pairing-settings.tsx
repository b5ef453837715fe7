// Whether edited rows without a key are shown as changed, with a preview on the latest events.
import { Text } from '@mantine/core';
import { PairingField } from '../../../parts/forms/pairing-field.tsx';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { EventsPreview, useEventsPreview } from './events-preview.tsx';
import { PreviewButton } from './preview-button.tsx';
import { SettingsForm } from './settings-form.tsx';
import { useDraft } from './use-draft.ts';
import { useSettings } from './use-settings.ts';

export function PairingSettings({ record }: { record: TrackedRecord }) {
  const draft = useDraft({ pairing: record.pairing });
  const { save, isPending, error, reset } = useSettings('Edited rows changed.');
  const preview = useEventsPreview();
  const { value, set, changes, isChanged } = draft;
  const undo = (): void => {
    preview.reset();
    draft.undo();
    reset();
  };
  return (
    <SettingsForm
      title="Edited rows"
      description="Applies from the next check with changes. Events that exist stay as they are."
      isChanged={isChanged}
      isPending={isPending}
      error={error}
      pointers={['/pairing']}
      onSave={() => save(changes, undo)}
      onUndo={undo}
      action={
        <PreviewButton
          record={record}
          isChanged={isChanged}
          isPending={preview.isPending}
          onClick={() => preview.mutate(changes)}
        />
      }
    >
      <PairingField
        checked={value.pairing !== null}
        error={error}
        onChange={(isOn) => {
          preview.reset();
          set({ pairing: isOn ? 'similarity' : null });
        }}
      />
      {record.keyFields !== null && record.keyFields.length > 0 && (
        <Text size="sm" c="dimmed">
          The rows have a key, so this has no effect.
        </Text>
      )}
      <EventsPreview preview={preview} />
    </SettingsForm>
  );
}
