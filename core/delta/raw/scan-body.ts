// Reads all rows of delimited text by their bytes, for its key or to store them, in the kernel, which takes a fraction of the time
// of parsing them.
// Gives up at anything unusual: too few or too many cells, text after a closing quote, NUL, another charset, very long rows.
import type { BodyScan, OpenScan, ScannedRows, StartedProfiles, WrittenRow } from '../keys/body-scan.ts';
import type { FieldProfile } from '../keys/field-profile.ts';
import { NO_RULES } from '../rules/column-rules.ts';
import { CheckError } from '../../errors.ts';
import { ignoreTest } from '../model.ts';
import { collectRows, newSeed } from './collect-rows.ts';
import { profileColumns } from './profile-columns.ts';
import { readChunks } from './read-at.ts';
import { NeedsExactPath, rowBytes, type RowRule } from './row-bytes.ts';
import { createRowMatcher, type RowEntries, type RowMatcher } from './row-matcher.ts';
import {
  beginSurvey,
  hasRepeats,
  hasText,
  KIND,
  setGrowsAt,
  setKind,
  setState,
  STATE,
  type Survey,
  surveyRows,
  UnfitKey,
  WINDOW_BYTES,
} from './survey-memory.ts';
import { type WriteRule, writeRows } from './write-rows.ts';

/** So many rows are found, and surveyed while their bytes are in the processor's cache. */
const CAPACITY = 1024;
/** A key with more is a hash, of which nothing is known here. An escaped byte takes six. */
const [MOST_KEY_BYTES, ESCAPED_BYTES] = [1024, 6];
/** The first time that keys are looked at for repeats. */
const FIRST_REPEATS_ROWS = 128 * 1024;
const ALL = 2 ** 32 - 1;

/** @param sizeBytes of the decompressed body */
export const scanBody =
  (sizeBytes: number): OpenScan =>
  (...body) =>
    scan({ sizeBytes, keepsIndex: false }, ...body);

/** Keeps an index of the rows in memory, at 24 bytes a row. @param sizeBytes of the decompressed body */
export const scanForIndex =
  (sizeBytes: number): OpenScan =>
  (...body) =>
    scan({ sizeBytes, keepsIndex: true }, ...body);

function scan(
  known: Pick<Body, 'sizeBytes' | 'keepsIndex'>,
  ...[open, dialect, ignoreFields, { maxRows }]: Parameters<OpenScan>
): BodyScan {
  const body: Body = {
    ...known,
    open,
    maxRows,
    waysOf: (keyFields) => ({ dialect, keyFields, ignoreFields, rules: NO_RULES }),
  };
  return {
    profile: (started) => orNothing(() => profile(body, started)),
    surveyKeys: (columns, keyFields) => orNothing(() => surveyKeys(body, columns, keyFields)),
    writeRows: (columns, keyFields) =>
      write(body, { columns, keyFields, isIgnored: ignoreTest(ignoreFields, dialect.format) }),
  };
}

interface Body {
  open: () => AsyncIterable<Uint8Array>;
  maxRows: number;
  sizeBytes: number;
  keepsIndex: boolean;
  waysOf: (keyFields: readonly string[]) => RowRule;
}

async function profile(
  body: Body,
  { columns, fields, rows, budget }: StartedProfiles,
): Promise<{ scanned: ScannedRows; fields: FieldProfile[] } | undefined> {
  const matcher = openMatcher(body, []);
  if (matcher === undefined) return undefined;
  const survey = beginSurvey(matcher, { width: columns.length, bodyBytes: body.sizeBytes, shapedRows: rows });
  const profiles = profileColumns(survey, fields, budget);
  const scanned = await collect(body, matcher, profiles.look);
  return { scanned, fields: profiles.end(scanned.rowCount) };
}

async function surveyKeys(
  body: Body,
  columns: readonly string[],
  keyFields: readonly string[],
): Promise<{ scanned: ScannedRows; hasKey: (key: string) => boolean } | 'unfit' | undefined> {
  const matcher = openMatcher(body, keyFields);
  const places = keyFields.map((field) => columns.indexOf(field));
  const isOdd = places.includes(-1) || new Set(places).size < places.length;
  if (matcher === undefined || isOdd) return undefined;
  const survey = beginKeySurvey(matcher, body.sizeBytes, columns.length, places);
  try {
    const scanned = await collect(body, matcher, lookForRepeats(survey));
    if (!hasRepeats(survey, 0, ALL)) return { scanned, hasKey: (key) => hasKey(survey, places, key) };
  } catch (error) {
    if (!(error instanceof UnfitKey)) throw error;
  }
  return 'unfit';
}

async function* write(body: Body, rule: WriteRule): AsyncGenerator<WrittenRow[], boolean, undefined> {
  const { columns, keyFields, isIgnored } = rule;
  // The kernel opens an object with its first member.
  const hasMembers = !columns.every(isIgnored);
  const areStored = hasMembers && keyFields.every((field) => columns.includes(field) && !isIgnored(field));
  const matcher =
    areStored && new Set(keyFields).size === keyFields.length ? openMatcher(body, keyFields) : undefined;
  if (matcher === undefined) return false;
  const chunks = body.open()[Symbol.asyncIterator]();
  try {
    return yield* writeRows(matcher, readChunks({ [Symbol.asyncIterator]: () => chunks }), rule);
  } catch (error) {
    if (needsParsing(error)) return false;
    throw error;
  } finally {
    await chunks.return?.();
  }
}

/** Undefined for a body that can only be parsed. */
function openMatcher({ waysOf }: Body, keyFields: readonly string[]): RowMatcher | undefined {
  const bytes = rowBytes(waysOf(keyFields));
  const isScanned =
    typeof bytes?.split === 'number' && bytes.charset === 'utf-8' && bytes.decodedFrom === undefined;
  return isScanned ? createRowMatcher(bytes, { windowBytes: WINDOW_BYTES, capacity: CAPACITY }) : undefined;
}

async function collect(
  { open, maxRows, keepsIndex }: Body,
  matcher: RowMatcher,
  look: (rows: RowEntries) => void,
): Promise<ScannedRows> {
  const chunks = open()[Symbol.asyncIterator]();
  const read = readChunks({ [Symbol.asyncIterator]: () => chunks });
  let rowCount = 0;
  const count = (rows: RowEntries): void => {
    rowCount += rows.count;
    if (rowCount > maxRows) throw new NeedsExactPath('There are too many rows');
    look(rows);
  };
  try {
    const index = keepsIndex ? await collectRows(matcher, read, count) : undefined;
    if (!keepsIndex) for await (const _window of matcher.windows(read, newSeed(), 0, count));
    return { rowCount, index };
  } finally {
    // A body that can only be parsed is not read to its end.
    await chunks.return?.();
  }
}

/** Undefined when the rows must be parsed. */
async function orNothing<T>(scan: () => Promise<T>): Promise<T | undefined> {
  try {
    return await scan();
  } catch (error) {
    if (needsParsing(error)) return undefined;
    throw error;
  }
}

const needsParsing = (error: unknown): boolean =>
  error instanceof NeedsExactPath || error instanceof CheckError;

function beginKeySurvey(
  matcher: RowMatcher,
  bodyBytes: number,
  width: number,
  places: readonly number[],
): Survey {
  const keyParts = places.length;
  const mostKeyBytes =
    keyParts === 1 ? MOST_KEY_BYTES : Math.floor((MOST_KEY_BYTES - 2 - 3 * keyParts) / ESCAPED_BYTES);
  const survey = beginSurvey(matcher, { width, bodyBytes, keyParts, mostKeyBytes });
  for (const place of places) setKind(survey, place, KIND.key);
  setState(survey, 0, STATE.listed);
  setGrowsAt(survey, 0, ALL);
  return survey;
}

function lookForRepeats(survey: Survey): (rows: RowEntries) => void {
  let [rowCount, repeatsRows] = [0, FIRST_REPEATS_ROWS];
  return (rows) => {
    surveyRows(survey, rows, () => undefined);
    rowCount += rows.count;
    if (rowCount < repeatsRows) return;
    repeatsRows *= 16;
    if (hasRepeats(survey, 0, ALL)) throw new UnfitKey();
  };
}

/** @param places the columns of the key's parts */
function hasKey(survey: Survey, places: readonly number[], key: string): boolean {
  if (places.length === 1) return hasText(survey, 0, key);
  // A hash, of a key that is longer than any in the body.
  if (!key.startsWith('[')) return false;
  // rowKey wrote it.
  const texts = JSON.parse(key) as string[];
  const inOrder = places.map((place, at) => ({ place, text: texts[at] ?? '' }));
  inOrder.sort((left, right) => left.place - right.place);
  return hasText(survey, 0, inOrder.map(({ text }) => text).join('\0'));
}
