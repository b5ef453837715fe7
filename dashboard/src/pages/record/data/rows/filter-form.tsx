// Edits one filter: a column, an operator, a value.
import { Button, Group, Select, TagsInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { columnOption } from '../../../../parts/record/column-name.ts';
import { choiceOf, FILTER_CHOICES, type FilterChoice, type RowFilter } from './selection.ts';

interface Props {
  columns: readonly string[];
  filter?: RowFilter | undefined;
  onDone: (filter: RowFilter) => void;
  onCancel: () => void;
}

const VALUE = { maxLength: 1_000, most: 100 } as const;

export function FilterForm({ columns, filter, onDone, onCancel }: Props) {
  const [column, setColumn] = useState(filter?.column ?? columns[0] ?? null);
  const [choiceId, setChoiceId] = useState(filter === undefined ? 'eq' : (choiceOf(filter)?.id ?? 'eq'));
  const [values, setValues] = useState<readonly string[]>(filter?.values ?? []);
  const choice = FILTER_CHOICES.find(({ id }) => id === choiceId);
  const isReady = column !== null && choice !== undefined && (choice.takes !== 'list' || values.length > 0);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    const { operator, takes, fixed = '' } = choice;
    const given = takes === 'nothing' ? [fixed] : takes === 'text' ? [values[0] ?? ''] : values;
    onDone({ column, operator, values: given });
  };
  return (
    <form onSubmit={submit}>
      <Group gap="sm" align="flex-end">
        <Select
          label="Column"
          data={[...new Set(filter === undefined ? columns : [filter.column, ...columns])].map(columnOption)}
          value={column}
          allowDeselect={false}
          onChange={setColumn}
          searchable
          limit={200}
          w={{ base: '100%', xs: 200 }}
          data-autofocus
        />
        <Select
          label="Condition"
          data={FILTER_CHOICES.map(({ id, words }) => ({ value: id, label: words }))}
          value={choiceId}
          allowDeselect={false}
          onChange={(id) => setChoiceId(id ?? 'eq')}
          maxDropdownHeight={400}
          w={{ base: '100%', xs: 200 }}
        />
        <FilterValues takes={choice?.takes} values={values} onChange={setValues} />
        <Button type="submit" disabled={!isReady}>
          {filter === undefined ? 'Filter' : 'Change'}
        </Button>
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}

interface ValuesProps {
  takes: FilterChoice['takes'] | undefined;
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
}

function FilterValues({ takes, values, onChange }: ValuesProps) {
  if (takes === 'text') {
    return (
      <TextInput
        label="Value"
        maxLength={VALUE.maxLength}
        value={values[0] ?? ''}
        onChange={({ currentTarget }) => onChange([currentTarget.value])}
        w={{ base: '100%', xs: 240 }}
      />
    );
  }
  if (takes !== 'list') return null;
  return (
    <TagsInput
      label="Values"
      placeholder="Enter after each"
      isDuplicate={(text, texts) => texts.includes(text)}
      splitChars={['\n', '\t']}
      acceptValueOnBlur
      maxTags={VALUE.most}
      value={[...values]}
      onChange={onChange}
      w={{ base: '100%', xs: 320 }}
    />
  );
}
