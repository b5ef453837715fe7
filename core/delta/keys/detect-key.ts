// Detects the key fields of a table and explains the choice. Being unique in every row is not enough: measurements are often
// unique by chance, and with such a key a new row could look like a change of another one. So a single field also needs a
// suitable name or position, and a combination needs more rows than chance would keep distinct.
import {
  addValue,
  type FieldProfile,
  isAmount,
  isDated,
  isRegular,
  isSettled,
  isText,
  isUnique,
  isWorded,
  newProfile,
  type OpenProfile,
  type SeenTexts,
  SHAPED_ROWS,
} from './field-profile.ts';
import type { BodyScan, Budget, ScannedRows } from './body-scan.ts';
import type { FieldPart } from '../field-names.ts';
import { createFingerprintTable } from './fingerprint-table.ts';
import type { Batch, Cell, IsIgnored } from '../model.ts';
import { cellText } from './keyed-row.ts';

export interface KeyEvidence {
  /** `no_rows`: nothing to decide by yet. `none`: no fields are suitable, so a row's content is its key. */
  rule: 'name' | 'leftmost' | 'time' | 'pair' | 'triple' | 'none' | 'no_rows';
  rows: number;
  /**
   * Other unique fields, as “a” or “a + b”: first suitable ones, then those that may be unique by chance. Not complete.
   */
  alternatives: string[];
  /** The choice in a sentence for the record's owner. */
  words: string;
}

/** Whether a row has this key, as rowKey makes it. Very rarely true by mistake. */
export type HasKey = (key: string) => boolean;

interface DetectedKey {
  fields: string[];
  evidence: KeyEvidence;
  /** For the rows that were read; undefined without key fields. */
  hasKey: HasKey | undefined;
  /** The rows, if a scan has read them. */
  scanned: ScannedRows | undefined;
}

/** Fields that are different together in every row, and what was seen of them. */
interface Combination {
  fields: readonly FieldProfile[];
  seen: SeenTexts | undefined;
}

const MAX_KEY_LENGTH = 200;
const MAX_PARTS = 10;
/** Memory for all candidates. Beyond it the least likely candidates are dropped. */
const MAX_TABLE_BYTES = 128 * 1024 * 1024;
const MAX_ALTERNATIVES = 5;
/** Expected repeats if the fields were independent. The chance of seeing none is then e^-8. */
const EXPECTED_REPEATS = 8;
/** Threshold when all names suggest that they are parts of a key. */
const EXPECTED_OF_NAMED = 4;
const LEAST_COMPLETE_ROWS = 6;
const LEAST_NUMBERED_ROWS = 12;

interface Detecting {
  maxTableBytes?: number;
  /** Reads the rows after the first ones faster, where it can. */
  scan?: BodyScan | undefined;
}

/**
 * Reads the body once, or up to three times if no single field is suitable.
 * @param open starts to read the rows from the start
 */
export async function detectKey(
  open: () => AsyncIterable<Batch>,
  isIgnored: IsIgnored,
  { maxTableBytes = MAX_TABLE_BYTES, scan }: Detecting = {},
): Promise<DetectedKey> {
  const { scanned, ...profiled } = await profileFields(open(), isIgnored, { maxTableBytes, scan });
  return { ...(await chooseKey(open, profiled, maxTableBytes)), scanned };
}

type Chosen = Omit<DetectedKey, 'scanned'>;

async function chooseKey(
  open: () => AsyncIterable<Batch>,
  { rows, fields }: { rows: number; fields: readonly FieldProfile[] },
  maxTableBytes: number,
): Promise<Chosen> {
  if (rows === 0) return told('no_rows', rows, []);
  const singles = serving(fields);
  const doubtful = fields.filter((field) => isUnique(field) && mayBeDoubtful(field));
  const others = [...singles, ...doubtful.filter((field) => !singles.includes(field))].map(
    ({ name }) => name,
  );
  const [best] = singles;
  if (best !== undefined) {
    return told(ruleOf(best), rows, others.slice(1), { fields: [best], seen: best.seen });
  }

  const parts = partsOf(fields);
  const pairs = await uniqueOf(open, combine(parts, 2), maxTableBytes);
  const goodPairs = pairs.filter(({ fields: pair }) => isNoAccident(pair, rows));
  if (goodPairs.length > 0) return toldOf('pair', rows, goodPairs, others);
  const triples = combine(parts, 3).filter(
    (triple) => !pairs.some(({ fields: pair }) => pair.every((part) => triple.includes(part))),
  );
  const goodTriples = (await uniqueOf(open, triples, maxTableBytes)).filter(({ fields: triple }) =>
    isNoAccident(triple, rows),
  );
  if (goodTriples.length > 0) return toldOf('triple', rows, goodTriples, others);
  const explained = pairs.filter(({ fields: pair }) =>
    pair.every((field) => isNamed(field) || isText(field)),
  );
  return told('none', rows, [...others, ...explained.map(nameOf)]);
}

interface Profiled {
  rows: number;
  fields: FieldProfile[];
  scanned?: ScannedRows | undefined;
}

/** Profiles every field over all rows. Columns that are missing in the first batch are no candidates. */
async function profileFields(
  batches: AsyncIterable<Batch>,
  isIgnored: IsIgnored,
  { maxTableBytes, scan }: Required<Detecting>,
): Promise<Profiled> {
  let fields: OpenProfile[] | undefined;
  let rowCount = 0;
  let hasScanned = scan === undefined;
  for await (const { columns, rows } of batches) {
    const [firstRow] = rows;
    if (firstRow === undefined) continue;
    fields ??= columns.map(newProfile).filter(({ name }) => !isIgnored(name));
    rowCount += rows.length;
    for (const field of fields) {
      for (const cells of rows) {
        if (isSettled(field)) break;
        addValue(field, keyText(cells[field.index]));
      }
    }
    dropLeastPreferred(fields.toSorted(byPreference), maxTableBytes);
    if (hasScanned || rowCount < SHAPED_ROWS) continue;
    hasScanned = true;
    const budget = budgetOf(maxTableBytes);
    const found = await scan?.profile({ columns, fields, rows: rowCount, budget });
    if (found !== undefined) return { rows: found.scanned.rowCount, ...found };
  }
  return { rows: rowCount, fields: fields ?? [] };
}

/** The text of a cell; empty if it cannot be in a key: missing, an array, an object, or long. */
function keyText(cell: Cell): string {
  if (cell === undefined || cell.length > MAX_KEY_LENGTH || cell.startsWith('[') || cell.startsWith('{'))
    return '';
  return cellText(cell);
}

interface Candidate {
  seen: SeenTexts | undefined;
}

const sizeOf = (candidates: readonly Candidate[]): number =>
  candidates.reduce((sum, { seen }) => sum + (seen?.sizeBytes() ?? 0), 0);

function dropLeastPreferred(candidates: readonly Candidate[], maxTableBytes: number): void {
  const tables = candidates.filter(({ seen }) => seen !== undefined);
  let sizeBytes = sizeOf(tables);
  for (let last = tables.length - 1; last > 0 && sizeBytes > maxTableBytes; last--) {
    const candidate = tables[last];
    if (candidate === undefined) return;
    sizeBytes -= candidate.seen?.sizeBytes() ?? 0;
    candidate.seen = undefined;
  }
}

const budgetOf = (maxTableBytes: number): Budget => ({
  isExceeded: (fields) => sizeOf(fields) > maxTableBytes,
  drop: (fields) => dropLeastPreferred(fields.toSorted(byPreference), maxTableBytes),
});

const PREFERENCE: readonly FieldPart[] = ['key', 'ends-like-key', 'entity', 'time', 'plain', 'unnamed'];

const preferenceOf = (field: FieldProfile): number => {
  const at = PREFERENCE.indexOf(field.part);
  if (at === -1) return PREFERENCE.length;
  // A number whose name ends like a key may be a foreign key or an amount.
  const isDoubtful = field.part === 'ends-like-key' && field.index > 0 && !isText(field);
  return isDoubtful ? PREFERENCE.indexOf('time') + 0.5 : at;
};

const byPreference = (left: FieldProfile, right: FieldProfile): number =>
  preferenceOf(left) - preferenceOf(right);

/** Single fields that identify a row, best first. */
const serving = (fields: readonly FieldProfile[]): FieldProfile[] =>
  fields.filter((field) => isUnique(field) && mayServe(field, fields)).toSorted(byPreference);

function mayServe(field: FieldProfile, fields: readonly FieldProfile[]): boolean {
  const { part } = field;
  const before = fields.slice(0, fields.indexOf(field));
  const isFirst = before.every(isCounter);
  if (!isFirst && mayPointElsewhere(field, fields)) return false;
  if (part === 'key' || part === 'ends-like-key') return !isAmount(field);
  if (part === 'time') {
    const isAlone = !fields.some((other) => isText(other) && other !== field);
    return isFirst && (isRegular(field) || isAlone);
  }
  // As in “continent, country”: the fields before it repeat or are numbers.
  if (part === 'entity') {
    return (
      isWorded(field) &&
      !fields.some(tellsWhen) &&
      before.every((other) => !isUnique(other) || isCounter(other) || isNumber(other))
    );
  }
  return (part === 'plain' || part === 'unnamed') && isWorded(field) && isFirst && !fields.some(tellsWhen);
}

/** The row's own identifier. JSON may wrap a row's members in an object that names no thing of its own. */
const OWN_ID =
  /^(?:(?:_?source|attributes|data|doc|document|element|fields|info|item|meta|metadata|node|object|properties|record|resource|row)\.)*_?(?:id|uuid|guid|uid)(?:\.\$oid)?$/i;

/**
 * Whether a later field may name another thing than the row: `customer_id` in a list of orders, or a code or a place beside
 * the time of what happened. It may be unique by accident.
 */
const mayPointElsewhere = (field: FieldProfile, fields: readonly FieldProfile[]): boolean =>
  !OWN_ID.test(field.name) &&
  (field.part === 'ends-like-key' || fields.some((other) => other.part === 'time' && other !== field));

/** Dates or times that differ in most rows: each row tells what happened then, to something that may occur again. */
const tellsWhen = (field: FieldProfile): boolean => isDated(field) && field.distinct * 2 > field.rows;

const isNumber = (field: FieldProfile): boolean =>
  field.part !== 'time' && field.part !== 'key' && !isText(field);

/** A row counter before the real fields. */
const isCounter = (field: FieldProfile): boolean =>
  field.part === 'changing' || (field.part === 'unnamed' && !isText(field));

/** Whether the field is offered to the user as an alternative. */
const mayBeDoubtful = (field: FieldProfile): boolean =>
  !isAmount(field) && !isCounter(field) && (isText(field) || isNamed(field));

const ruleOf = ({ part }: FieldProfile): KeyEvidence['rule'] => {
  if (part === 'time') return 'time';
  return part === 'plain' || part === 'unnamed' ? 'leftmost' : 'name';
};

const NAMED_PARTS: readonly FieldPart[] = ['key', 'ends-like-key', 'entity', 'time'];

const isNamed = ({ part }: FieldProfile): boolean => NAMED_PARTS.includes(part);

/** Fields that may be part of a key. Prefers those with a suitable name. */
function partsOf(fields: readonly FieldProfile[]): FieldProfile[] {
  const repeated = fields.filter(
    (field) =>
      field.isFilled &&
      field.seen !== undefined &&
      field.distinct > 1 &&
      field.equalPairs > 0 &&
      !['changing', 'attribute', 'unnamed'].includes(field.part),
  );
  const likelihood = (field: FieldProfile): number =>
    isNamed(field) ? 0 : field.part === 'level' ? 1 : isText(field) ? 2 : 3;
  const few = repeated.toSorted((left, right) => likelihood(left) - likelihood(right)).slice(0, MAX_PARTS);
  return few.toSorted((left, right) => left.index - right.index);
}

function combine(parts: readonly FieldProfile[], size: number): FieldProfile[][] {
  if (size === 0) return [[]];
  return parts.flatMap((part, at) => combine(parts.slice(at + 1), size - 1).map((rest) => [part, ...rest]));
}

const startCombination = (fields: readonly FieldProfile[]): Combination & Pick<OpenProfile, 'seen'> => ({
  fields,
  seen: createFingerprintTable(),
});

/** The combinations that are unique in every row. */
async function uniqueOf(
  open: () => AsyncIterable<Batch>,
  combinations: readonly FieldProfile[][],
  maxTableBytes: number,
): Promise<Combination[]> {
  if (combinations.length === 0) return [];
  const candidates = combinations.map(startCombination);
  for await (const { rows } of open()) {
    for (const candidate of candidates) {
      for (const cells of rows) {
        if (candidate.seen === undefined) break;
        const texts = candidate.fields.map(({ index }) => keyText(cells[index]));
        if (candidate.seen.add(joinTexts(texts)) > 1) candidate.seen = undefined;
      }
    }
    dropLeastPreferred(candidates, maxTableBytes);
  }
  return candidates.filter(({ seen }) => seen !== undefined);
}

/** No text contains NUL, so it separates the parts. */
const joinTexts = (texts: readonly string[]): string => texts.join('\0');

/** Whether the combination is unlikely to be unique by chance. */
function isNoAccident(fields: readonly FieldProfile[], rows: number): boolean {
  // Every value of one field occurs with every value of the others.
  const isComplete = fields.reduce((product, { distinct }) => product * distinct, 1) === rows;
  const isExplained = (field: FieldProfile): boolean =>
    isNamed(field) || field.part === 'level' || isText(field);
  // Numbers without a suitable name may be measurements.
  if (!fields.every(isExplained)) return isComplete && fields.length === 2 && rows >= LEAST_NUMBERED_ROWS;
  if (isComplete) return rows >= LEAST_COMPLETE_ROWS;
  // A level, such as an age, separates rows only while there are few.
  if (fields.some(({ part }) => part === 'level')) return false;
  const allPairs = (rows * (rows - 1)) / 2;
  const repeats = fields.reduce((expected, { equalPairs }) => (expected * equalPairs) / allPairs, allPairs);
  return repeats >= (fields.every(isNamed) ? EXPECTED_OF_NAMED : EXPECTED_REPEATS);
}

const nameOf = ({ fields }: Pick<Combination, 'fields'>): string =>
  fields.map(({ name }) => name).join(' + ');

/** Combinations with more suitable names come first. */
function toldOf(
  rule: 'pair' | 'triple',
  rows: number,
  combinations: readonly Combination[],
  others: readonly string[],
): Chosen {
  const namedCount = ({ fields }: Combination): number => fields.filter(isNamed).length;
  const [best, ...rest] = combinations.toSorted((left, right) => namedCount(right) - namedCount(left));
  return told(rule, rows, [...rest.map(nameOf), ...others], best);
}

function told(
  rule: KeyEvidence['rule'],
  rows: number,
  others: readonly string[],
  best: Combination = { fields: [], seen: undefined },
): Chosen {
  const { seen } = best;
  const fields = best.fields.map(({ name }) => name);
  const names = listOf(fields.map((field) => `“${field}”`));
  const words = {
    name: `${names} is filled and different in all ${rows} rows, and named like a key.`,
    leftmost: `${names} is the first field with texts, and they are different in all ${rows} rows.`,
    time: `${names} is different in all ${rows} rows, and each row is a step of time.`,
    pair: `No single field names a row, but ${names} together are different in all ${rows} rows.`,
    triple: `No field and no pair of fields names a row, but ${names} together are different in all ${rows} rows.`,
    none: `No field or fields are sure to name a row in all ${rows} rows, so a row’s content is its key.`,
    no_rows: 'There are no rows to choose a key by.',
  }[rule];
  return {
    fields,
    evidence: { rule, rows, alternatives: others.slice(0, MAX_ALTERNATIVES), words },
    hasKey: seen && ((key) => mayHave(seen, key, fields.length)),
  };
}

/** A long key is a hash, which says nothing about its parts. */
function mayHave(seen: SeenTexts, key: string, parts: number): boolean {
  if (parts === 1) return seen.has(key);
  return !key.startsWith('[') || seen.has(joinTexts(JSON.parse(key) as string[]));
}

const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
