// For which records a webhook of the account is: all, those with given labels, or a list.
import { shownName } from '../../../../client/shown-name.ts';
import { Fieldset, MultiSelect, Radio, Stack, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { faultAt } from '../../../../parts/forms/field-faults.ts';
import { useRecordSearch, wordsOnNothing } from '../../../../client/use-record-search.ts';
import type { SourcesDraft } from './webhook-draft.ts';

interface Props {
  sources: SourcesDraft;
  onChange: (sources: SourcesDraft) => void;
  error: unknown;
}

const KINDS = [
  { kind: 'all', label: 'all records', description: 'Also those that you add later' },
  {
    kind: 'labels',
    label: 'records with labels',
    description: 'Records that have these labels at the time of the event',
  },
  { kind: 'ids', label: 'a list of records', description: 'At most 500' },
] as const;

export const SourcesFields = ({ sources, onChange, error }: Props) => (
  <Fieldset legend="For…">
    <Stack>
      <Radio.Group
        label="The events of"
        value={sources.kind}
        onChange={(chosen) =>
          onChange({ ...sources, kind: KINDS.find(({ kind }) => kind === chosen)?.kind ?? 'all' })
        }
        error={faultAt(error, '/sources')}
      >
        <Stack gap="xs" mt={6}>
          {KINDS.map(({ kind, label, description }) => (
            <Radio key={kind} value={kind} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      {sources.kind === 'labels' && (
        <TagsInput
          label="Labels"
          description="For example team:pricing. Press Enter after each. A record must have all of them."
          value={sources.labels}
          onChange={(labels) => onChange({ ...sources, labels })}
          maxTags={20}
          splitChars={[]}
          isDuplicate={(text, texts) => texts.includes(text)}
          error={faultAt(error, '/sources/labels')}
          clearable
          clearButtonProps={{ 'aria-label': 'Remove all labels' }}
        />
      )}
      {sources.kind === 'ids' && (
        <RecordsInput
          value={sources.ids}
          onChange={(ids) => onChange({ ...sources, ids })}
          error={faultAt(error, '/sources/ids')}
        />
      )}
    </Stack>
  </Fieldset>
);

interface RecordsInputProps {
  value: string[];
  onChange: (ids: string[]) => void;
  error: string | undefined;
}

const MOST_FOUND = 100;

function RecordsInput({ value, onChange, error }: RecordsInputProps) {
  const [typed, setTyped] = useState('');
  const { found, ...search } = useRecordSearch(typed, MOST_FOUND);
  const names = new Map(found.map(({ id, name }) => [id, name]));
  const data = [...new Set([...names.keys(), ...value])].map((id) => ({
    value: id,
    label: shownName(names.get(id) ?? id),
  }));
  return (
    <MultiSelect
      label="Records"
      description="Type a part of a name"
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      data={data}
      value={value}
      onChange={onChange}
      maxValues={500}
      nothingFoundMessage={wordsOnNothing(search, 'No record has this in its name')}
      error={error}
    />
  );
}
