// Which deltas a webhook gets, by how values and counts changed: the usual conditions in fields, any other as JSON.
import {
  Anchor,
  Autocomplete,
  Fieldset,
  Group,
  JsonInput,
  NativeSelect,
  NumberInput,
  Stack,
  TextInput,
} from '@mantine/core';
import { CHANGE_TYPES } from '../../../../parts/figures/change-sign.ts';
import { faultAt } from '../../../../parts/forms/field-faults.ts';
import type { ChangeType } from '../../../../theme.ts';
import { useLatestColumns } from '../../use-latest-columns.ts';
import type { Owner } from '../webhook-queries.ts';
import type { WebhookDraft } from './webhook-draft.ts';
import { type ConditionDraft, conditionOf, jsonOf, type Move, MOVES } from './condition/condition-draft.ts';
import { ConditionCount } from './condition-count.tsx';

interface Props {
  /** Suggests its columns; null: the webhook is for several records. */
  recordRef: Owner;
  draft: WebhookDraft;
  onChange: (changes: Partial<WebhookDraft>) => void;
  error: unknown;
}

const KINDS: Readonly<Record<ConditionDraft['kind'], string>> = {
  none: 'always',
  column: 'a value of a column changed so far',
  rows: 'so many rows changed',
  json: 'as written in JSON',
};

export function ConditionFields({ recordRef, draft, onChange, error }: Props) {
  const { condition } = draft;
  const change = (changes: Partial<ConditionDraft>): void =>
    onChange({ condition: { ...condition, ...changes } });
  const fault = faultAt(error, '/condition');
  return (
    <Fieldset legend="Condition">
      <Stack>
        <NativeSelect
          label="Send a delta"
          value={condition.kind}
          data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => change(kindChange(condition, currentTarget.value))}
          error={condition.kind === 'json' ? undefined : fault}
        />
        {condition.kind === 'column' && (
          <ColumnFields recordRef={recordRef} condition={condition} onChange={change} />
        )}
        {condition.kind === 'rows' && <RowsFields condition={condition} onChange={change} />}
        {condition.kind === 'json' && (
          <JsonInput
            label="Condition in JSON"
            description={
              <>
                In the form of JSONLogic.{' '}
                <Anchor href="/docs" target="_blank" rel="noopener" underline="always" inherit>
                  Operators and examples
                </Anchor>
              </>
            }
            autosize
            minRows={3}
            validationError="This is no JSON."
            value={condition.json}
            onChange={(json) => change({ json })}
            error={fault}
          />
        )}
        <ConditionCount recordRef={recordRef} draft={draft} />
      </Stack>
    </Fieldset>
  );
}

/** JSON begins with what the fields say. */
function kindChange(condition: ConditionDraft, chosen: string): Partial<ConditionDraft> {
  const kind = (Object.keys(KINDS) as ConditionDraft['kind'][]).find((each) => each === chosen) ?? 'none';
  const written = kind === 'json' ? conditionOf(condition) : null;
  return written ? { kind, json: jsonOf(written) } : { kind };
}

interface PartProps {
  condition: ConditionDraft;
  onChange: (changes: Partial<ConditionDraft>) => void;
}

const ColumnFields = ({ recordRef, condition, onChange }: PartProps & { recordRef: Owner }) => (
  <Group grow align="start">
    <Autocomplete
      label="Column"
      data={useLatestColumns(recordRef)}
      value={condition.column}
      onChange={(column) => onChange({ column })}
    />
    <NativeSelect
      label="Change"
      value={condition.move}
      data={Object.entries(MOVES).map(([value, label]) => ({ value, label }))}
      onChange={({ currentTarget }) => onChange({ move: currentTarget.value as Move })}
    />
    <TextInput
      label="Value"
      description={condition.move === 'became' ? 'A number or a text' : 'A number, such as 1234.5'}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={condition.value}
      onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
    />
  </Group>
);

const RowsFields = ({ condition, onChange }: PartProps) => (
  <Group grow align="start">
    <NativeSelect
      label="Type of rows"
      value={condition.changeType}
      data={[...CHANGE_TYPES]}
      onChange={({ currentTarget }) => onChange({ changeType: currentTarget.value as ChangeType })}
    />
    <NumberInput
      label="More than"
      min={0}
      max={1_000_000_000}
      allowDecimal={false}
      allowNegative={false}
      value={condition.count}
      onChange={(count) => onChange({ count: typeof count === 'number' ? count : '' })}
    />
  </Group>
);
