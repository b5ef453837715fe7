// A row of an event, and how answers, bodies of webhooks and files write it.
import { changedFields, memberName, splitRowJson } from './keys/keyed-row.ts';

export interface RowTexts {
  key: string;
  changeType: string;
  /** The key before, of a row that was paired by similarity. */
  previousKey?: string | null;
  /** JSON object texts; null where there is none. */
  before: string | null;
  after: string | null;
}

/** A row with these columns only, in their order in the row. The texts of values stay as they are. */
export function withFields<Row extends RowTexts>(row: Row, fields: readonly string[] | null): Row {
  if (fields === null) return row;
  const wanted = new Set(fields);
  const cut = (data: string | null): string | null => {
    if (data === null) return null;
    const members = splitRowJson(data).filter(([column]) => wanted.has(column));
    return `{${members.map(([column, token]) => memberName(column) + token).join(',')}}`;
  };
  return { ...row, before: cut(row.before), after: cut(row.after) };
}

/** A row as the API's list of rows writes it. */
export function rowText({ key, changeType, previousKey = null, before, after }: RowTexts): string {
  const changed = before === null || after === null ? [] : changedFields(before, after);
  const paired =
    previousKey === null ? '' : `,"pairedBy":"similarity","previousKey":${JSON.stringify(previousKey)}`;
  return (
    `{"key":${JSON.stringify(key)},"changeType":"${changeType}","before":${before ?? 'null'},` +
    `"after":${after ?? 'null'},"changedFields":${JSON.stringify(changed)}${paired}}`
  );
}
