// Compares two bodies by the bytes of their rows, and reads only the rows that differ. Gives up unless its result is sure to be
// the one of reading every row.
import type { FileHandle } from 'node:fs/promises';
import type { RowsIndex } from '../../core/delta/keys/body-scan.ts';
import { compareBytes, isClean } from '../../core/delta/raw/compare-bytes.ts';
import { inChunks, type ReadAt, readFileAt } from '../../core/delta/raw/read-at.ts';
import { NeedsExactPath, readDecoded, type RowBytes, rowBytes } from '../../core/delta/raw/row-bytes.ts';
import { collectRows } from '../../core/delta/raw/collect-rows.ts';
import { createRowMatcher } from '../../core/delta/raw/row-matcher.ts';
import { type KeyedRow, memberName, splitRowJson, writeMembers } from '../../core/delta/keys/keyed-row.ts';
import type { RowSurvey } from '../../core/delta/read-rows.ts';
import { NO_RULES } from '../../core/delta/rules/column-rules.ts';
import { CheckError } from '../../core/errors.ts';
import type { DeltaLine } from '../../core/export/delta-lines.ts';
import { openBody } from './body-file.ts';
import { type Differences, firstByKey, flat } from './differences.ts';
import { isSameDialect, LIMITS, ofBody, type Rule, type Version } from './version.ts';

const CHUNK_BYTES = 1024 * 1024;

/** @returns undefined when every row must be read, also to find out what is wrong with a body */
export async function compareRowBytes(
  before: Version,
  now: Version,
  rule: Rule,
): Promise<Differences | undefined> {
  const { dialect, key } = before.reader;
  const ways = { dialect, keyFields: key.fields, ignoreFields: rule.ignoreFields, rules: NO_RULES };
  const bytes = rowBytes(ways);
  if (bytes === undefined || !isSameDialect(dialect, now.reader.dialect)) return undefined;
  const survey = await ofBody(before.body, before.reader.survey());
  if (survey === undefined || !isClean(survey.warnings)) return undefined;
  const [old, closeOld] = await openBody(before.body);
  const [current, closeCurrent] = await openBody(now.body);
  try {
    return await compare([old, current], { bytes, survey, now, rule });
  } catch (error) {
    if (error instanceof NeedsExactPath || error instanceof CheckError) return undefined;
    throw error;
  } finally {
    await Promise.all([closeOld(), closeCurrent()]);
  }
}

interface Comparing {
  bytes: RowBytes;
  survey: RowSurvey;
  now: Version;
  rule: Rule;
}

async function compare(
  [before, now]: readonly [FileHandle, FileHandle],
  { bytes, survey, now: { reader }, rule }: Comparing,
): Promise<Differences> {
  const matcher = createRowMatcher(bytes);
  const { entries, ...index } =
    survey.scanned?.index ?? (await indexRows(readRowsOf(before, bytes), bytes, survey));
  const { columns } = survey;
  await matcher.before.begin(readBytes(entries), index.rowCount, true);
  const comparison = compareBytes({
    matcher,
    index: { ...index, columns },
    read: readRowsOf(now, bytes),
    readBefore: readRowsOf(before, bytes),
    rule: {
      dialect: { ...reader.dialect, charset: bytes.charset },
      keyFields: reader.key.fields,
      ignoreFields: rule.ignoreFields,
      rules: NO_RULES,
      limits: LIMITS,
      rowsPath: rule.rowsPath,
    },
    onEntries: () => undefined,
  });
  const current = await byKey(comparison.unmatched());
  const old = await byKey(comparison.unmatchedRowsBefore());
  const isJson = reader.dialect.delimiter === null;
  const lines = pair(old, current, survey, isJson ? survey.columns : undefined);
  const { matchedCount } = comparison;
  const count = (type: DeltaLine['changeType']): number =>
    lines.reduce((sum, { changeType }) => sum + Number(changeType === type), 0);
  const [fresh, changed, deleted] = [count('new'), count('changed'), count('deleted')];
  return {
    counts: { new: fresh, changed, deleted, unchanged: matchedCount() + current.size - fresh - changed },
    before: survey,
    now: comparison.summary(),
    lines: (most) => Promise.resolve(firstByKey(lines, most)),
  };
}

/** A body that is split by bytes. */
const readRowsOf = (file: FileHandle, bytes: RowBytes): ReadAt =>
  bytes.decodedFrom === undefined
    ? readFileAt(file)
    : readDecoded(inChunks(readFileAt(file), CHUNK_BYTES), bytes);

/** @throws NeedsExactPath splitting by bytes gives other rows than reading */
async function indexRows(
  read: ReadAt,
  bytes: RowBytes,
  { rowCount }: Pick<RowSurvey, 'rowCount'>,
): Promise<RowsIndex> {
  const found = await collectRows(createRowMatcher(bytes), read);
  if (found.rowCount !== rowCount) throw new NeedsExactPath('Splitting by bytes gave another number of rows');
  return found;
}

const readBytes =
  (bytes: Uint8Array): ReadAt =>
  (into, at) => {
    const part = bytes.subarray(at, at + into.length);
    into.set(part);
    return Promise.resolve(part.length);
  };

async function byKey(batches: AsyncIterable<readonly KeyedRow[]>): Promise<Map<string, KeyedRow>> {
  const rows = new Map<string, KeyedRow>();
  for await (const batch of batches)
    for (const { key, hash, data, ...row } of batch) rows.set(key, { ...row, key, hash, data: flat(data) });
  return rows;
}

/**
 * Pairs the rows without a match by key.
 * @param columns to put the members of rows of the first body in order; undefined: they are
 * @throws NeedsExactPath a key is ambiguous: a row without a match has the key of one with
 */
function pair(
  old: ReadonlyMap<string, KeyedRow>,
  current: ReadonlyMap<string, KeyedRow>,
  survey: RowSurvey,
  columns: readonly string[] | undefined,
): DeltaLine[] {
  const lines: DeltaLine[] = [];
  const dataOf = ({ data }: KeyedRow): string => (columns === undefined ? data : inOrder(data, columns));
  for (const [key, { data, hash }] of current) {
    const stored = old.get(key);
    if (stored === undefined) {
      if (survey.hasKey(key)) throw new NeedsExactPath('Two rows have one key');
      lines.push({ key, changeType: 'new', before: null, after: data });
    } else if (!stored.hash.equals(hash)) {
      lines.push({ key, changeType: 'changed', before: dataOf(stored), after: data });
    }
  }
  for (const [key, row] of old) {
    if (!current.has(key)) lines.push({ key, changeType: 'deleted', before: dataOf(row), after: null });
  }
  return lines;
}

function inOrder(data: string, columns: readonly string[]): string {
  const tokens = new Map(splitRowJson(data));
  const names = columns.map(memberName);
  const cells = columns.map((column) => tokens.get(column));
  return writeMembers(names, [...columns.keys()], cells);
}
