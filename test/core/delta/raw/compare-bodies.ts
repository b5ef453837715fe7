// Two bodies compared in the fast way, with what a database does done in a Map: what its tests share.
import { NUMBER_BYTES } from '../../../../core/delta/raw/tolerant-columns.ts';
import type { KeyedRow } from '../../../../core/delta/keys/keyed-row.ts';
import { compareBytes, headerHash, isClean } from '../../../../core/delta/raw/compare-bytes.ts';
import { NeedsExactPath, OutOfOrder, rowBytes } from '../../../../core/delta/raw/row-bytes.ts';
import { type ReadAt, readChunks } from '../../../../core/delta/raw/read-at.ts';
import {
  createRowIndexWriter,
  ENTRY_BYTES,
  readRowIndex,
  type IndexedBody,
} from '../../../../core/delta/raw/row-index.ts';
import { ROW_LIMITS } from '../../../../core/delta/model.ts';
import type { ReadSummary } from '../../../../core/delta/read-rows.ts';
import type { ColumnRules } from '../../../../core/delta/rules/column-rules.ts';
import { CheckError } from '../../../../core/errors.ts';
import { collect, cut, readBody, type ReadBody } from '../read-body.ts';
import type { FeedPair } from './dirty-feeds.ts';
import { createMatcher, findRows, readBytes, SEED, type Sizes } from './match-rows.ts';

export const LIMITS = { ...ROW_LIMITS, maxRows: 100_000 };

export interface FastDelta {
  new: KeyedRow[];
  changed: KeyedRow[];
  deletedKeys: string[];
  unchanged: number;
  /** Rows that were paired off by their bytes. */
  matched: number;
  summary: ReadSummary;
  /** Entries of the body, for the comparison after this one. */
  entries: Buffer;
}

/** The row index of a body that was read, as a file; undefined where there can be none. */
export async function indexBody(
  body: Buffer,
  read: ReadBody,
  identity: IndexedBody,
): Promise<Buffer | undefined> {
  const bytes = rowBytes(identity);
  if (bytes === undefined || !isClean(read.warnings)) return undefined;
  const matcher = createMatcher(bytes);
  const { entries, ranges, numbers } = await findRows(matcher, body);
  if (ranges.length !== read.rowCount) return undefined;
  const writer = createRowIndexWriter();
  writer.add(entries);
  writer.add(numbers);
  const tail = writer.end({
    ...identity,
    sizeBytes: body.length,
    rowCount: ranges.length,
    seed: SEED.toString('hex'),
    headerSha256: headerHash(matcher),
    columns: read.columns,
  });
  return Buffer.concat([entries, numbers, tail]);
}

/** How many rows a row index has: the length of its metadata is before the digest. */
function rowsIn(file: Buffer, numbers: number): number {
  const lengthAt = file.length - 36;
  return (lengthAt - file.readUInt32LE(lengthAt)) / (ENTRY_BYTES + numbers * NUMBER_BYTES);
}

/** @throws NeedsExactPath, CheckError */
export async function compareFast(
  {
    before,
    now,
    read,
    identity,
    file,
    rowsPath,
    readBefore,
  }: {
    before: Buffer;
    now: Buffer;
    read: ReadBody;
    identity: IndexedBody;
    file: Buffer;
    /** The record's setting. */
    rowsPath?: string;
    /** Default: from `before`. */
    readBefore?: ReadAt;
  },
  sizes: Partial<Sizes & { firstRows: number; isWhole: boolean }> = {},
): Promise<FastDelta> {
  const { dialect, keyFields, ignoreFields, rules } = identity;
  const bytes = rowBytes(identity);
  const numbers = bytes?.tolerant.length ?? 0;
  const rowCount = rowsIn(file, numbers);
  const index = await readRowIndex(readChunks(cut(file, Infinity)), identity, { rowCount, numbers });
  if (bytes === undefined || index === undefined) throw new NeedsExactPath('There is no index');
  const matcher = createMatcher(bytes, sizes);
  await matcher.before.begin(readChunks(cut(file, sizes.chunkBytes ?? Infinity)), rowCount, sizes.isWhole);
  const parts: Buffer[] = [];
  const comparison = compareBytes({
    matcher,
    index,
    read: readBytes(now, bytes, sizes.chunkBytes),
    readBefore: readBefore ?? readBytes(before, bytes, sizes.chunkBytes),
    rule: {
      dialect: { ...dialect, charset: bytes.charset },
      keyFields,
      ignoreFields,
      rules,
      limits: LIMITS,
      rowsPath,
    },
    firstRows: sizes.firstRows ?? 100,
    onEntries: (entries) => void parts.push(Buffer.from(entries)),
  });
  const unmatched = (await collect(comparison.unmatched())).flat();
  const unmatchedKeysBefore = new Set((await collect(comparison.unmatchedKeysBefore())).flat());
  return {
    ...settle(read.rows, unmatched, unmatchedKeysBefore, comparison.matchedCount()),
    matched: comparison.matchedCount(),
    summary: comparison.summary(),
    entries: Buffer.concat(parts),
  };
}

/** Does the database's work on unmatched rows (db/commit/compare-rows.ts). */
function settle(
  stored: readonly KeyedRow[],
  unmatched: readonly KeyedRow[],
  unmatchedKeysBefore: ReadonlySet<string>,
  matched: number,
) {
  const hashes = new Map(stored.map(({ key, hash }) => [key, hash.toString('hex')]));
  const now = new Map(unmatched.map((row) => [row.key, row]));
  for (const key of new Set([...now.keys(), ...unmatchedKeysBefore])) {
    if (hashes.has(key) !== unmatchedKeysBefore.has(key))
      throw new NeedsExactPath('A row without a match has the key of one with');
    const repeats = key.startsWith('sha256:') && hashes.has(`${key}#2`);
    if (repeats && !now.has(key)) throw new NeedsExactPath('Rows without a key repeat');
  }
  const old = unmatched.filter(({ key }) => hashes.has(key));
  const changed = old.filter(({ key, hash }) => hashes.get(key) !== hash.toString('hex'));
  return {
    new: unmatched.filter(({ key }) => !hashes.has(key)),
    changed,
    deletedKeys: [...unmatchedKeysBefore].filter((key) => !now.has(key)),
    unchanged: matched + old.length - changed.length,
  };
}

const attempt = <T>(work: Promise<T>): Promise<T | Error> =>
  work.catch((error: unknown) => {
    if (error instanceof CheckError || error instanceof NeedsExactPath) return error;
    throw error;
  });

export interface Settings {
  keyFields: string[];
  ignoreFields: string[];
  rules?: ColumnRules;
}

/** The fast path's result for a pair; an error where it gives up. Undefined where it is not tried. */
export async function fastOf({ before, now, format, ...written }: FeedPair, settings: Settings, size = {}) {
  const delimiter = format === 'csv' ? ',' : undefined;
  const options = { ...settings, ...written, format, delimiter };
  const read = await attempt(readBody(before, options));
  if (read instanceof Error) return undefined;
  const { dialect } = read;
  const identity: IndexedBody = { rules: {}, ...settings, sha256: 'a'.repeat(64), generation: 1, dialect };
  const exact = await attempt(readBody(now, { ...options, dialect: read.dialect }));
  const file = await attempt(indexBody(before, read, identity));
  if (file === undefined || file instanceof Error) return undefined;
  const bodies = { before, now, read, identity, file, rowsPath: written.rowsPath };
  const inPart = await attempt(compareFast(bodies, size));
  const isOutOfOrder = inPart instanceof OutOfOrder;
  const fast = isOutOfOrder ? await attempt(compareFast(bodies, { ...size, isWhole: true })) : inPart;
  return { read, exact, fast, identity, isOutOfOrder };
}
