// Which columns name a row, and which do not count.
import type { ReactNode } from 'react';
import { ColumnNamesInput } from './column-names-input.tsx';
import { faultAt } from './field-faults.ts';
import type { FieldsDraft } from './record-draft.ts';

interface Props {
  draft: FieldsDraft;
  /** Where they are known. */
  columns?: string[];
  onChange: (change: Partial<FieldsDraft>) => void;
  /** What the API answered, for the faults of these fields. */
  error: unknown;
  /** About the key, below it. */
  children?: ReactNode;
}

export const RuleFields = ({ draft, columns = [], onChange, error, children }: Props) => (
  <>
    <ColumnNamesInput
      label="Key fields"
      description="The columns that tell rows apart. Empty: chosen from the data"
      columns={columns}
      value={draft.keyFields}
      error={faultAt(error, '/keyFields')}
      onChange={(keyFields) => onChange({ keyFields })}
    />
    {children}
    <ColumnNamesInput
      label="Ignored fields"
      description="Columns that are neither compared nor stored, such as a time of export"
      columns={columns}
      value={draft.ignoreFields}
      error={faultAt(error, '/ignoreFields')}
      onChange={(ignoreFields) => onChange({ ignoreFields })}
    />
  </>
);
