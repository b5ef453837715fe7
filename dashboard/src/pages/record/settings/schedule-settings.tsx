// How often the origin is checked, and whether the record is paused.
import { Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { faultAt } from '../../../parts/forms/field-faults.ts';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { useSmallestInterval } from '../../../parts/forms/smallest-interval.ts';
import { PauseButton } from '../record-actions.tsx';
import { SettingsForm } from './settings-form.tsx';
import { useDraft } from './use-draft.ts';
import { useSettings } from './use-settings.ts';

const SECONDS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;
type Unit = keyof typeof SECONDS;
const UNITS: readonly Unit[] = ['seconds', 'minutes', 'hours', 'days'];

/** What may be typed on the way to a number. */
const DECIMAL = /^\d*(?:\.\d*)?$/;

/** The largest unit that gives a whole number. */
const unitOf = (seconds: number): Unit =>
  UNITS.findLast((unit) => seconds % SECONDS[unit] === 0) ?? 'seconds';

export function ScheduleSettings({ record }: { record: TrackedRecord }) {
  const seconds = Math.round(record.checkIntervalMinutes * 60);
  const savedUnit = unitOf(seconds);
  const count = String(seconds / SECONDS[savedUnit]);
  const draft = useDraft<{ count: string; unit: Unit }>({ count, unit: savedUnit });
  const { save, isPending, error, reset } = useSettings('Schedule changed.');
  const { value, set, isChanged } = draft;
  const smallest = useSmallestInterval(record.tier);
  const undo = (): void => {
    draft.undo();
    reset();
  };
  return (
    <SettingsForm
      title="Schedule"
      description="Time between checks."
      isChanged={isChanged && /\d/.test(value.count)}
      isPending={isPending}
      error={error}
      pointers={['/checkIntervalMinutes']}
      onSave={() => save({ checkIntervalMinutes: (Number(value.count) * SECONDS[value.unit]) / 60 }, undo)}
      onUndo={undo}
    >
      <Group align="flex-start" gap="xs" wrap="nowrap">
        <TextInput
          label="Check every"
          description={smallest?.words}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={value.count}
          inputMode="decimal"
          flex={1}
          error={faultAt(error, '/checkIntervalMinutes')}
          onChange={({ currentTarget }) => {
            if (DECIMAL.test(currentTarget.value)) set({ count: currentTarget.value });
          }}
        />
        <NativeSelect
          label="Unit"
          data={[...UNITS]}
          value={value.unit}
          w={130}
          onChange={({ currentTarget }) =>
            set({ unit: UNITS.find((each) => each === currentTarget.value) ?? 'minutes' })
          }
        />
      </Group>
      <Group gap="sm">
        <PauseButton isPaused={record.status === 'paused'} />
        <Text size="sm" c="dimmed">
          {record.status === 'paused' ? 'Paused: no checks run.' : 'Pausing keeps all history.'}
        </Text>
      </Group>
    </SettingsForm>
  );
}
