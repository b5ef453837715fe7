// What is found out by itself unless somebody knows better: folded away until it is wanted, or wrong.
import { Button, Collapse, Stack } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { ColumnNamesInput } from '../../parts/column-names-input.tsx';
import { faultAt } from '../../parts/field-faults.ts';
import { FormatFields } from '../../parts/format-fields.tsx';
import { ADVANCED_POINTERS, type NewRecordDraft } from './new-record-draft.ts';

interface Props {
  draft: NewRecordDraft;
  onChange: (change: Partial<NewRecordDraft>) => void;
  error: unknown;
}

export function AdvancedFields({ draft: { format, fields }, onChange, error }: Props) {
  const [isWanted, setWanted] = useState(false);
  const id = useId();
  const isOpen = isWanted || ADVANCED_POINTERS.some((pointer) => faultAt(error, pointer) !== undefined);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        size="compact-md"
        ml={-8}
        leftSection={<Chevron size={16} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setWanted(!isOpen)}
      >
        Key fields, ignored fields, format
      </Button>
      <Collapse expanded={isOpen} id={id}>
        <Stack pt="md">
          <ColumnNamesInput
            label="Key fields"
            description="The columns that tell rows apart; found in the data when left empty"
            value={fields.keyFields}
            error={faultAt(error, '/keyFields')}
            onChange={(keyFields) => onChange({ fields: { ...fields, keyFields } })}
          />
          <ColumnNamesInput
            label="Ignored fields"
            description="Columns whose changes do not count, such as a time of export"
            value={fields.ignoreFields}
            error={faultAt(error, '/ignoreFields')}
            onChange={(ignoreFields) => onChange({ fields: { ...fields, ignoreFields } })}
          />
          <FormatFields draft={format} onChange={(format) => onChange({ format })} error={error} />
        </Stack>
      </Collapse>
    </div>
  );
}
