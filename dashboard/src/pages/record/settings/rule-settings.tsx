// Key fields and ignored fields, with a preview of other ones.
import { Skeleton, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { answerOf } from '../../../client/answer-of.ts';
import { evidenceWords, otherKeysWords } from '../../../parts/record/key-evidence.ts';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import type { FieldsDraft } from '../../../parts/forms/record-draft.ts';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { RuleFields } from '../../../parts/forms/rule-fields.tsx';
import { useRecordRef } from '../../../parts/record/record-ref.ts';
import { useLatestColumns } from '../use-latest-columns.ts';
import { useRecordAction } from '../use-record-action.ts';
import { PreviewButton } from './preview-button.tsx';
import { SettingsForm } from './settings-form.tsx';
import { useDraft } from './use-draft.ts';
import { useSettings } from './use-settings.ts';

const RulePreview = lazy(async () => ({ default: (await import('./rule-preview.tsx')).RulePreview }));

export function RuleSettings({ record }: { record: TrackedRecord }) {
  const [params] = useSearchParams();
  const suggested = params.getAll('ignore');
  const draft = useDraft<FieldsDraft>(
    { keyFields: record.keyFields ?? [], ignoreFields: record.ignoreFields },
    suggested.length === 0 ? {} : { ignoreFields: [...new Set([...record.ignoreFields, ...suggested])] },
  );
  const { save, isPending, error, reset } = useSettings('Key and ignored fields changed.');
  const preview = usePreview();
  const { value, isChanged } = draft;
  const set = (change: Partial<FieldsDraft>): void => {
    preview.reset();
    draft.set(change);
  };
  const undo = (): void => {
    preview.reset();
    draft.undo();
    reset();
  };
  const rule = ruleOf(draft.changes);
  // Including the columns that it ignores.
  const columns = [...new Set([...useLatestColumns(useRecordRef()), ...record.ignoreFields])];
  return (
    <SettingsForm
      isFirst={suggested.length > 0}
      title="Key and ignored fields"
      description="New fields are applied to the stored data, without a new fetch. One event says so, and no row counts as new or deleted."
      isChanged={isChanged}
      isPending={isPending}
      error={error}
      pointers={['/keyFields', '/ignoreFields']}
      onSave={() => save(rule, undo)}
      onUndo={undo}
      action={
        <PreviewButton
          record={record}
          isChanged={isChanged}
          isPending={preview.isPending}
          onClick={() => preview.mutate(rule)}
        />
      }
    >
      <RuleFields draft={value} columns={columns} error={error} onChange={set}>
        {!isChanged && <Why record={record} />}
      </RuleFields>
      <Previewed preview={preview} />
    </SettingsForm>
  );
}

const Previewed = ({ preview: { error, data } }: { preview: ReturnType<typeof usePreview> }) => (
  <>
    <ProblemNote error={error} title="No preview" />
    <Suspense fallback={<Skeleton h={120} />}>
      {data !== undefined && <RulePreview preview={data} />}
    </Suspense>
  </>
);

function Why({ record: { isRekeyPending, keySource, keyEvidence } }: { record: TrackedRecord }) {
  const words = isRekeyPending
    ? ['The rows are still being re-read with these fields.']
    : keySource === 'detected'
      ? [evidenceWords(keyEvidence), otherKeysWords(keyEvidence)].filter((each) => each !== undefined)
      : [];
  if (words.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {words.join(' ')}
    </Text>
  );
}

/** Without a key field, the key is chosen automatically. */
const ruleOf = ({ keyFields, ignoreFields }: Partial<FieldsDraft>) => ({
  ...(keyFields && { keyFields: keyFields.length === 0 ? null : keyFields }),
  ...(ignoreFields && { ignoreFields }),
});

const usePreview = () =>
  useRecordAction((api, params, body: ReturnType<typeof ruleOf>) =>
    answerOf(api.POST('/v1/sources/{id}/preview', { params, body })),
  );
