// Which columns are the key, and which are ignored.
import type { ReactNode } from 'react';
import { ColumnNamesInput } from './column-names-input.tsx';
import { faultAt } from './field-faults.ts';
import type { FieldsDraft } from './record-draft.ts';

interface Props {
  draft: FieldsDraft;
  /** Suggestions, if known. */
  columns?: string[];
  onChange: (change: Partial<FieldsDraft>) => void;
  /** The API's answer, for faults of these fields. */
  error: unknown;
  /** Shown below the key field. */
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
