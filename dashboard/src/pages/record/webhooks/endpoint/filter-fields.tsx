// Which delta events a webhook gets: all filters must hold.
import { Checkbox, Fieldset, Group, NumberInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { Fold } from '../../../../parts/controls/fold.tsx';
import { CHANGE_TYPES } from '../../../../parts/figures/change-sign.ts';
import { ColumnNamesInput } from '../../../../parts/forms/column-names-input.tsx';
import { faultAt } from '../../../../parts/forms/field-faults.ts';
import { useLatestColumns } from '../../use-latest-columns.ts';
import { filtersOf, type WebhookDraft } from './webhook-draft.ts';
import type { Owner } from '../webhook-queries.ts';

interface Props {
  /** Suggests its columns; null: the webhook is for several records. */
  recordRef: Owner;
  draft: WebhookDraft;
  onChange: (changes: Partial<WebhookDraft>) => void;
  error: unknown;
}

/** Folded away until there is a filter. */
export function FilterFields(props: Props) {
  const { draft, error } = props;
  const [isWanted, setWanted] = useState(() => filtersOf(draft) !== null);
  const isOpen = isWanted || draft.changeTypes.length === 0 || faultAt(error, '/filters') !== undefined;
  return (
    <Fold title={isOpen ? 'Filters' : `Filters: ${filterWords(draft)}`} isOpen={isOpen} onToggle={setWanted}>
      <Filters {...props} />
    </Fold>
  );
}

const filterWords = (draft: WebhookDraft): string =>
  filtersOf(draft) === null ? 'any change is sent' : 'some are set';

const Filters = ({ recordRef, draft, onChange, error }: Props) => (
  <Fieldset legend="Only deltas with…">
    <Stack>
      <Checkbox.Group
        label="Rows that are"
        value={draft.changeTypes}
        onChange={(chosen) =>
          onChange({ changeTypes: CHANGE_TYPES.filter((changeType) => chosen.includes(changeType)) })
        }
        error={
          draft.changeTypes.length === 0 ? 'Choose at least one.' : faultAt(error, '/filters/changeTypes')
        }
      >
        <Group mt={6}>
          {CHANGE_TYPES.map((changeType) => (
            <Checkbox key={changeType} value={changeType} label={changeType} />
          ))}
        </Group>
      </Checkbox.Group>
      <ColumnNamesInput
        label="Changed in one of these columns"
        description="Applies to changed rows. Empty: any column"
        columns={useLatestColumns(recordRef)}
        value={draft.columns}
        onChange={(columns) => onChange({ columns })}
        error={faultAt(error, '/filters/columns')}
      />
      <NumberInput
        label="Minimum number of rows"
        description="Counts rows that match the filters above. Empty: one"
        min={1}
        max={1_000_000_000}
        allowDecimal={false}
        allowNegative={false}
        maw={240}
        value={draft.minChanges}
        onChange={(value) => onChange({ minChanges: typeof value === 'number' ? value : '' })}
        error={faultAt(error, '/filters/minChanges')}
      />
    </Stack>
  </Fieldset>
);
