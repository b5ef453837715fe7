// How the body is read.
import { FormatFields } from '../../../parts/forms/format-fields.tsx';
import {
  FORMAT_POINTERS,
  type FormatDraft,
  formatBody,
  takesDelimiter,
  isDelimited,
  takesRowsPath,
} from '../../../parts/forms/record-draft.ts';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { SettingsForm } from './settings-form.tsx';
import { useDraft } from './use-draft.ts';
import { type RecordChange, useSettings } from './use-settings.ts';

export function FormatSettings({ record }: { record: TrackedRecord }) {
  const draft = useDraft(formatOf(record));
  const { save, isPending, error, reset } = useSettings('Format changed.');
  const undo = (): void => {
    draft.undo();
    reset();
  };
  return (
    <SettingsForm
      title="Format"
      description="Detected in the data, or set here. Clear a field to have it detected again. A check starts at once. Rows are still compared by their keys. After a change of the header row or the quotes, the stored data is read again, and no row counts as changed."
      isChanged={draft.isChanged}
      isPending={isPending}
      error={error}
      pointers={FORMAT_POINTERS}
      onSave={() => save(changeOf(draft.value, draft.changes), undo)}
      onUndo={undo}
    >
      <FormatFields draft={draft.value} onChange={draft.set} error={error} />
    </SettingsForm>
  );
}

const formatOf = ({ format, delimiter, rowsPath, headerRow, quoting }: TrackedRecord): FormatDraft => ({
  format: format ?? '',
  delimiter: delimiter === '\t' ? String.raw`\t` : (delimiter ?? ''),
  rowsPath: rowsPath ?? '',
  headerRow: headerRow === null ? '' : String(headerRow),
  quoting,
});

/** The fields that differ. Fields that do not apply to the new format are cleared. */
function changeOf(value: FormatDraft, changes: Partial<FormatDraft>): RecordChange {
  const said = formatBody(value);
  return {
    ...('format' in changes && { format: said.format ?? null }),
    ...(('delimiter' in changes || !takesDelimiter(value.format)) && { delimiter: said.delimiter ?? null }),
    ...(('rowsPath' in changes || !takesRowsPath(value.format)) && { rowsPath: said.rowsPath ?? null }),
    ...(('headerRow' in changes || !isDelimited(value.format)) && { headerRow: said.headerRow ?? null }),
    ...(('quoting' in changes || !isDelimited(value.format)) && { quoting: said.quoting ?? 'double' }),
  };
}
