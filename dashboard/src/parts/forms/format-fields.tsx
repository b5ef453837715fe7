// How the body is read, for users who know better than the detection.
import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { faultAt } from './field-faults.ts';
import { FORMAT_NAMES } from './format-names.ts';
import { type FormatDraft, takesDelimiter, isDelimited, takesRowsPath } from './record-draft.ts';

const FORMATS: { value: FormatDraft['format']; label: string }[] = [
  { value: '', label: 'Detect it' },
  ...(['csv', 'tsv', 'json', 'jsonl'] as const).map((value) => ({ value, label: FORMAT_NAMES[value] })),
];

const QUOTINGS: { value: FormatDraft['quoting']; label: string }[] = [
  { value: 'double', label: 'May be around a cell' },
  { value: 'none', label: 'Ordinary characters' },
];

interface Props {
  draft: FormatDraft;
  onChange: (draft: FormatDraft) => void;
  /** The API's answer, for faults of these fields. */
  error: unknown;
}

export function FormatFields({ draft, onChange, error }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <NativeSelect
        label="Format"
        description="Usually detected"
        data={FORMATS}
        value={draft.format}
        error={faultAt(error, '/format')}
        onChange={({ currentTarget }) =>
          onChange({
            ...draft,
            format: FORMATS.find(({ value }) => value === currentTarget.value)?.value ?? '',
          })
        }
      />
      <TextInput
        label="Delimiter"
        description="For CSV: one character"
        placeholder=","
        value={draft.delimiter}
        disabled={!takesDelimiter(draft.format)}
        error={faultAt(error, '/delimiter')}
        onChange={({ currentTarget }) => onChange({ ...draft, delimiter: currentTarget.value })}
      />
      <TextInput
        label="Header row"
        description="For CSV and TSV: its line, or 0 for none"
        placeholder="1"
        inputMode="numeric"
        value={draft.headerRow}
        disabled={!isDelimited(draft.format)}
        error={faultAt(error, '/headerRow')}
        onChange={({ currentTarget }) =>
          onChange({ ...draft, headerRow: currentTarget.value.replaceAll(/\D/g, '') })
        }
      />
      <TextInput
        label="Path to the rows"
        description="For JSON: names and dots"
        placeholder="data.items"
        value={draft.rowsPath}
        disabled={!takesRowsPath(draft.format)}
        error={faultAt(error, '/rowsPath')}
        onChange={({ currentTarget }) => onChange({ ...draft, rowsPath: currentTarget.value })}
      />
      <NativeSelect
        label="Quotes"
        description="For CSV and TSV: never detected"
        data={QUOTINGS}
        value={draft.quoting}
        disabled={!isDelimited(draft.format)}
        error={faultAt(error, '/quoting')}
        onChange={({ currentTarget }) =>
          onChange({ ...draft, quoting: currentTarget.value === 'none' ? 'none' : 'double' })
        }
      />
    </SimpleGrid>
  );
}
