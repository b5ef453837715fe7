// A changed row as JSON text, in the form of the API's list of rows.
import { changedFields } from './keys/keyed-row.ts';

export interface RowTexts {
  key: string;
  changeType: string;
  /** The key before, of a row that was paired by similarity. */
  previousKey?: string | null;
  /** JSON object texts; null where there is none. */
  before: string | null;
  after: string | null;
}

/** One object, with the texts of the data as they are. */
export function rowText({ key, changeType, previousKey = null, before, after }: RowTexts): string {
  const changed = before === null || after === null ? [] : changedFields(before, after);
  const paired =
    previousKey === null ? '' : `,"pairedBy":"similarity","previousKey":${JSON.stringify(previousKey)}`;
  return (
    `{"key":${JSON.stringify(key)},"changeType":"${changeType}","before":${before ?? 'null'},` +
    `"after":${after ?? 'null'},"changedFields":${JSON.stringify(changed)}${paired}}`
  );
}
