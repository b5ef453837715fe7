// A filter in words, with buttons to change and remove it.
import { ActionIcon, Button, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { shownName } from '../../../../client/shown-name.ts';
import { nameOfColumn } from '../../../../parts/record/column-name.ts';
import { choiceOf, type RowFilter } from './selection.ts';

interface Props {
  filter: RowFilter;
  onEdit: () => void;
  onRemove: () => void;
}

const VALUE_CHARACTERS = 40;

export function FilterPill({ filter, onEdit, onRemove }: Props) {
  const words = wordsOf(filter);
  return (
    <Group gap={2} wrap="nowrap" maw="100%">
      <Button
        variant="light"
        size="compact-md"
        fw={500}
        maw={420}
        onClick={onEdit}
        aria-label={`Change the filter: ${words}`}
      >
        {words}
      </Button>
      <ActionIcon variant="subtle" color="gray" onClick={onRemove} aria-label={`Remove the filter: ${words}`}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

function wordsOf(filter: RowFilter): string {
  const { values } = filter;
  const column = nameOfColumn(filter.column);
  const choice = choiceOf(filter);
  if (choice === undefined || choice.takes === 'nothing') return `${column} ${choice?.words ?? ''}`;
  const text = values.map((value) => (value === '' ? '(empty)' : shownName(value))).join(', ');
  const shown = text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS)}…` : text;
  return `${column} ${choice.words} ${shown}`;
}
