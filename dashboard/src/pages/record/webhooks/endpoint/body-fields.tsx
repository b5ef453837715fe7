// What the body of a delta says of the rows: only their keys, or their values too.
import { Fieldset, NativeSelect, Radio, Stack } from '@mantine/core';
import { ColumnNamesInput } from '../../../../parts/forms/column-names-input.tsx';
import { faultAt } from '../../../../parts/forms/field-faults.ts';
import { useLatestColumns } from '../../use-latest-columns.ts';
import type { WebhookDraft } from './webhook-draft.ts';
import { isMessage } from '../webhook-model.ts';
import type { Owner } from '../webhook-queries.ts';

interface Props {
  /** Suggests its columns; null: the webhook is for several records. */
  recordRef: Owner;
  draft: WebhookDraft;
  onChange: (changes: Partial<WebhookDraft>) => void;
  error: unknown;
}

const KIB = 1_024;
const SIZES = [16, 64, 256, 512, 1_024].map((kib) => kib * KIB);

export const BodyFields = (props: Props) =>
  isMessage(props.draft.format) ? <ColumnsField {...props} /> : <ContentFields {...props} />;

const ContentFields = (props: Props) => (
  <Fieldset legend="What a delta says">
    <Stack>
      <Radio.Group
        label="Of the rows that match"
        value={props.draft.include}
        onChange={(include) => props.onChange({ include: include === 'rows' ? 'rows' : 'keys' })}
        error={faultAt(props.error, '/include')}
      >
        <Stack gap="xs" mt={6}>
          <Radio value="keys" label="keys" description="The first 100 keys of each change type" />
          <Radio value="rows" label="rows" description="The values before and after too, as many as fit" />
        </Stack>
      </Radio.Group>
      {props.draft.include === 'rows' && <RowFields {...props} />}
    </Stack>
  </Fieldset>
);

const ColumnsField = ({ recordRef, draft, onChange, error }: Props) => (
  <ColumnNamesInput
    label="Only these columns"
    description="Of each row. Empty: all columns"
    columns={useLatestColumns(recordRef)}
    value={draft.fields}
    onChange={(fields) => onChange({ fields })}
    error={faultAt(error, '/fields')}
  />
);

const RowFields = (props: Props) => (
  <>
    <ColumnsField {...props} />
    <SizeField {...props} />
  </>
);

const SizeField = ({ draft, onChange, error }: Props) => (
  <NativeSelect
    label="Largest body"
    description="The body has a link to the rows that do not fit."
    maw={240}
    value={String(draft.maxBodyBytes)}
    data={sizesWith(draft.maxBodyBytes).map((bytes) => ({ value: String(bytes), label: sizeWords(bytes) }))}
    onChange={({ currentTarget }) => onChange({ maxBodyBytes: Number(currentTarget.value) })}
    error={faultAt(error, '/maxBodyBytes')}
  />
);

/** A size that was set by the API may be another one. */
const sizesWith = (present: number): number[] =>
  [...new Set([...SIZES, present])].toSorted((left, right) => left - right);

const sizeWords = (bytes: number): string =>
  bytes % KIB === 0 ? `${bytes / KIB} KiB` : `${bytes.toLocaleString('en')} bytes`;
