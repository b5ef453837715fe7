// A comparison that shares no code with the product: another CSV parser and plain maps. The product must agree with it.
import { parse } from 'csv-parse/sync';

export interface NaiveDelta {
  newKeys: string[];
  changedKeys: string[];
  deletedKeys: string[];
  unchanged: number;
}

export type NaiveTable = Map<string, { [column: string]: string }>;

export function naiveTable(csv: string, keyField: string): NaiveTable {
  const rows: { [column: string]: string }[] = parse(csv, {
    columns: true,
    bom: true,
    skip_empty_lines: true,
  });
  return new Map(rows.map((row) => [row[keyField] ?? '', row]));
}

export function naiveCompare(before: NaiveTable, after: NaiveTable): NaiveDelta {
  const isSame = (key: string): boolean => {
    const [old = {}, now = {}] = [before.get(key), after.get(key)];
    const columns = new Set([...Object.keys(old), ...Object.keys(now)]);
    return [...columns].every((column) => old[column] === now[column]);
  };
  const kept = [...after.keys()].filter((key) => before.has(key));
  return {
    newKeys: [...after.keys()].filter((key) => !before.has(key)).sort(),
    changedKeys: kept.filter((key) => !isSame(key)).sort(),
    deletedKeys: [...before.keys()].filter((key) => !after.has(key)).sort(),
    unchanged: kept.filter(isSame).length,
  };
}
