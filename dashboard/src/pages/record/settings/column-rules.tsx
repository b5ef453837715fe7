// The rules for columns: when two values of one are the same.
import {
  Autocomplete,
  Button,
  Checkbox,
  Fieldset,
  Group,
  NativeSelect,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import type { components } from '../../../client/schema.ts';
import { faultAt } from '../../../parts/forms/field-faults.ts';
import { nameOfColumn } from '../../../parts/record/column-name.ts';
import { useRecordRef } from '../../../parts/record/record-ref.ts';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { useLatestColumns } from '../use-latest-columns.ts';
import { EventsPreview, useEventsPreview } from './events-preview.tsx';
import { PreviewButton } from './preview-button.tsx';
import { SettingsForm } from './settings-form.tsx';
import { useDraft } from './use-draft.ts';
import { useSettings } from './use-settings.ts';

type ColumnRule = components['schemas']['ColumnRule'];
type ColumnRules = TrackedRecord['rules'];

export function ColumnRulesSettings({ record }: { record: TrackedRecord }) {
  const { value, set, isChanged, undo } = useDraft({ rules: record.rules });
  const { save, isPending, error, reset } = useSettings('Rules for columns changed.');
  const preview = useEventsPreview();
  const columns = useLatestColumns(useRecordRef());
  const { rules } = value;
  const free = columns.filter(
    (column) => !Object.hasOwn(rules, column) && record.keyFields?.includes(column) !== true,
  );
  const change = (column: string, rule: ColumnRule | null): void => {
    preview.reset();
    set({ rules: changed(rules, column, rule) });
  };
  const undoAll = (): void => {
    preview.reset();
    undo();
    reset();
  };
  return (
    <SettingsForm
      title="Rules for columns"
      description="A change between values that the rule treats as equal is not reported. Rows keep the value that was reported. New rules are applied to the stored data, without a flood of changes."
      isChanged={isChanged}
      isPending={isPending}
      error={error}
      pointers={Object.keys(rules).map(pointerOf)}
      onSave={() => save({ rules }, undoAll)}
      onUndo={undoAll}
      action={
        <PreviewButton
          record={record}
          isChanged={isChanged}
          isPending={preview.isPending}
          onClick={() => preview.mutate({ rules })}
        />
      }
    >
      {Object.entries(rules).map(([column, rule]) => (
        <RuleFieldset
          key={column}
          column={column}
          rule={rule}
          error={faultAt(error, pointerOf(column))}
          onChange={(next) => change(column, next)}
        />
      ))}
      <AddRule columns={free} onAdd={(column) => change(column, { trim: true })} />
      <EventsPreview preview={preview} />
    </SettingsForm>
  );
}

const pointerOf = (column: string): string => `/rules/${column.replaceAll('~', '~0').replaceAll('/', '~1')}`;

function changed(rules: ColumnRules, column: string, rule: ColumnRule | null): ColumnRules {
  const others = Object.entries(rules).filter(([name]) => name !== column);
  // A column keeps its place while its rule changes.
  if (rule === null) return Object.fromEntries(others);
  return { ...rules, [column]: rule };
}

const KINDS: Record<NonNullable<ColumnRule['as']>, string> = {
  number: 'Number: 1.10 is 1.1',
  date: 'Date: one instant in any time zone',
};
const FORMS: Record<NonNullable<ColumnRule['normalize']>, string> = {
  NFC: 'NFC: é is e with an accent',
  NFKC: 'NFKC: ﬁ is fi, too',
};

/** The choices of a list, after that of none. */
const choices = (none: string, others: Record<string, string>) => [
  { value: '', label: none },
  ...Object.entries(others).map(([value, label]) => ({ value, label })),
];

/** What was chosen; undefined for none. */
const chosen = <T extends string>(value: string, others: Record<T, string>): T | undefined =>
  Object.hasOwn(others, value) ? (value as T) : undefined;

interface RuleProps {
  column: string;
  rule: ColumnRule;
  error: string | undefined;
  /** Null: remove it. */
  onChange: (rule: ColumnRule | null) => void;
}

type Change = { [K in keyof ColumnRule]: ColumnRule[K] | undefined };

interface PartProps {
  rule: ColumnRule;
  set: (change: Change) => void;
}

function RuleFieldset({ column, rule, error, onChange }: RuleProps) {
  const set = (change: Change): void => {
    const members = Object.entries({ ...rule, ...change }).filter(
      ([, value]) => value !== undefined && value !== false,
    );
    onChange(Object.fromEntries(members));
  };
  const name = nameOfColumn(column);
  return (
    <Fieldset legend={name}>
      <Stack gap="sm">
        <ValueFields rule={rule} set={set} />
        <TextFields rule={rule} set={set} />
        {error !== undefined && (
          <Text size="sm" c="red">
            {error}
          </Text>
        )}
        <Group justify="end">
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            aria-label={`Remove the rule for ${name}`}
            onClick={() => onChange(null)}
          >
            Remove
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

const ValueFields = ({ rule: { as: kind, tolerance = '' }, set }: PartProps) => (
  <Group grow align="end">
    <NativeSelect
      label="Compare as"
      data={choices('Text', KINDS)}
      value={kind ?? ''}
      onChange={({ currentTarget: { value } }) => {
        const as = chosen(value, KINDS);
        // A tolerance is about numbers alone.
        set(as === 'number' ? { as } : { as, tolerance: undefined });
      }}
    />
    <TextInput
      label="Tolerance"
      placeholder="0.01 or 1%"
      disabled={kind !== 'number'}
      value={tolerance}
      onChange={({ currentTarget: { value } }) => set({ tolerance: value === '' ? undefined : value })}
    />
  </Group>
);

const TextFields = ({ rule: { trim = false, ignoreCase = false, normalize }, set }: PartProps) => (
  <>
    <NativeSelect
      label="Unicode form"
      data={choices('As it is', FORMS)}
      value={normalize ?? ''}
      onChange={({ currentTarget: { value } }) => set({ normalize: chosen(value, FORMS) })}
    />
    <Group>
      <Checkbox
        label="Ignore spaces at the ends"
        checked={trim}
        onChange={({ currentTarget }) => set({ trim: currentTarget.checked })}
      />
      <Checkbox
        label="Ignore case"
        checked={ignoreCase}
        onChange={({ currentTarget }) => set({ ignoreCase: currentTarget.checked })}
      />
    </Group>
  </>
);

function AddRule({ columns, onAdd }: { columns: string[]; onAdd: (column: string) => void }) {
  const [column, setColumn] = useState('');
  return (
    <Group align="end">
      <Autocomplete
        label="Column"
        description="With values that are written in several ways"
        data={columns}
        value={column}
        onChange={setColumn}
        flex={1}
      />
      <Button
        variant="default"
        disabled={column === ''}
        onClick={() => {
          onAdd(column);
          setColumn('');
        }}
      >
        Add a rule
      </Button>
    </Group>
  );
}
