// Settings that are detected by default: folded until the user opens them, or one has a fault.
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { faultAt } from '../../parts/forms/field-faults.ts';
import { Fold } from '../../parts/controls/fold.tsx';
import { FormatFields } from '../../parts/forms/format-fields.tsx';
import { PairingField } from '../../parts/forms/pairing-field.tsx';
import { RuleFields } from '../../parts/forms/rule-fields.tsx';
import { ADVANCED_POINTERS, type NewRecordDraft } from './new-record-draft.ts';

interface Props {
  draft: NewRecordDraft;
  /** Those of the preview, as suggestions. */
  columns: string[];
  onChange: (change: Partial<NewRecordDraft>) => void;
  error: unknown;
}

export function AdvancedFields({ draft: { format, fields, isPairing }, columns, onChange, error }: Props) {
  const [isWanted, setWanted] = useState(false);
  const isOpen = isWanted || ADVANCED_POINTERS.some((pointer) => faultAt(error, pointer) !== undefined);
  return (
    <Fold title="Key fields, ignored fields, format" isOpen={isOpen} onToggle={setWanted}>
      <Stack pt="md">
        <RuleFields
          draft={fields}
          columns={columns}
          error={error}
          onChange={(change) => onChange({ fields: { ...fields, ...change } })}
        />
        <PairingField checked={isPairing} error={error} onChange={(isOn) => onChange({ isPairing: isOn })} />
        <FormatFields draft={format} onChange={(format) => onChange({ format })} error={error} />
      </Stack>
    </Fold>
  );
}
