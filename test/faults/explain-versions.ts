// Says of each version that an origin served what has become of it. A version that is not on record needs a reason.
import { naiveCompare, type NaiveTable, naiveTable } from '../support/checks/naive-compare.ts';

export interface Served {
  table: NaiveTable;
  atMs: number;
}

/** When something was disturbed. */
export interface Disturbance {
  fromMs: number;
  toMs: number;
}

export interface Explained {
  recorded: number;
  /** The same rows as the version on record, written differently. */
  sameRows: number;
  /** Most rows were missing, so the check was held, and the next one found them. */
  held: number;
  /** The attempt that fetched it was disturbed before it could commit. */
  disturbed: number;
  /** Served for no reason to be missing: a missed change. */
  unexplained: Served[];
}

/** Recovery from a disturbance ends this long after it: a new worker takes a check over within 8 s. */
const AFTERMATH_MS = 20_000;
/** A disturbance reaches attempts that have fetched before it. */
const UNDER_WAY_MS = 5_000;
/** Half of the rows, as core/sharp-drop.ts has it. */
const DROP = 0.5;

/** @param recorded the tables on record, oldest first; each was served, in this order */
export function explainVersions(
  served: readonly Served[],
  recorded: readonly NaiveTable[],
  disturbances: readonly Disturbance[],
): Explained {
  const explained: Explained = { recorded: 0, sameRows: 0, held: 0, disturbed: 0, unexplained: [] };
  let onRecord: NaiveTable = new Map();
  for (const version of served) {
    const next = recorded[explained.recorded];
    if (next !== undefined && isSame(next, version.table)) {
      explained.recorded += 1;
      onRecord = next;
    } else if (isSame(onRecord, version.table)) explained.sameRows += 1;
    else if (version.table.size < DROP * onRecord.size) explained.held += 1;
    else if (isDisturbed(version, disturbances)) explained.disturbed += 1;
    else explained.unexplained.push(version);
  }
  return explained;
}

const isDisturbed = ({ atMs }: Served, disturbances: readonly Disturbance[]): boolean =>
  disturbances.some(({ fromMs, toMs }) => atMs > fromMs - UNDER_WAY_MS && atMs < toMs + AFTERMATH_MS);

function isSame(left: NaiveTable, right: NaiveTable): boolean {
  const { newKeys, changedKeys, deletedKeys } = naiveCompare(left, right);
  return newKeys.length + changedKeys.length + deletedKeys.length === 0;
}

/** Served tables as the feed keeps them. */
export const servedBy = (shown: readonly { csv: string; atMs: number }[]): Served[] =>
  shown.map(({ csv, atMs }) => ({ table: naiveTable(csv, 'id'), atMs }));
