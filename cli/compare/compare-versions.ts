// Compares two bodies without a server: with the service's rules, and with the result that two checks of a record would have.
import type { IncompleteEnd } from '../../core/delta/incomplete-end.ts';
import { isBareBody, type ReadSummary } from '../../core/delta/read-rows.ts';
import { shorten, type Warning } from '../../core/delta/warnings.ts';
import { CheckError } from '../../core/errors.ts';
import { isSharpDrop, mayBeCut, mayHaveBrokenOff } from '../../core/sharp-drop.ts';
import type { DeltaLine } from '../../core/export/delta-lines.ts';
import { type BodyFile, endsInLineEnd } from './body-file.ts';
import { compareRowBytes } from './compare-row-bytes.ts';
import { compareRows, forEachRow } from './compare-rows.ts';
import type { DifferenceCounts } from './differences.ts';
import { pairDifferences, type PairedDifferences, type PairingResult } from './pair-differences.ts';
import { BodyFault, type Known, ofBody, openNext, type Rule, type Version } from './version.ts';

export interface Comparison {
  counts: DifferenceCounts;
  /** Rows with different keys. */
  totals: { before: number; now: number };
  columns: { before: readonly string[]; now: readonly string[] };
  warnings: { before: readonly Warning[]; now: readonly Warning[] };
  /** Whether the service would wait for a second body with so few rows, or for a person. */
  isSharpDrop: boolean;
  /** Set when only the end of the second body is incomplete, and no row of the first. */
  incompleteEnd: IncompleteEnd | undefined;
  /** Whether the end of the second body alone is incomplete, also if no row is missing. */
  isSurelyCut: boolean;
  /** Whether the table ends in a line end, and the second body does not. */
  isLineEndLost: boolean;
  /** The first rows that differ, in the order of their keys. */
  lines: (most: number) => Promise<DeltaLine[]>;
  /** What became of the wish to pair edited rows. Undefined without it. */
  pairing?: PairingResult;
  /** How the second body was read. */
  known: Known;
}

/** Reading every row of a smaller body is faster than splitting both by bytes. */
const MIN_BYTES = 1024 * 1024;

/**
 * @param before opened by openFirst or openAgain. With `hadLineEnd`, the table ends in a line end although this body does not
 * @param fromBytes from which size on rows are compared by their bytes
 * @throws BodyFault a body is not valid, or the second one cannot belong to the same record. If both are faulty, names the
 *   first, which the service would have refused before it saw the second.
 */
export async function compareVersions(
  before: Before,
  body: BodyFile,
  rule: Rule,
  fromBytes = MIN_BYTES,
): Promise<Comparison> {
  try {
    return await compare(before, body, rule, fromBytes);
  } catch (error) {
    if (error instanceof BodyFault && error.body === body) await requireValid(before);
    throw error;
  }
}

type Before = Version & { hadLineEnd?: boolean };

async function compare(before: Before, body: BodyFile, rule: Rule, fromBytes: number): Promise<Comparison> {
  const now = await openNext(body, before.known, rule);
  const isLarge = before.body.sizeBytes >= fromBytes;
  const found = (isLarge && (await compareRowBytes(before, now, rule))) || (await compareRows(before, now));
  requireBody(before, found.before);
  requireBody(now, found.now, found.before);
  if (rule.keyFields === undefined) requireKey(now, found.now);
  const paired = rule.pairing && (await pairDifferences(found, now.known.key.fields));
  return describe(before, now, paired ?? { found, warnings: [] }, await losesLineEnd(before, now));
}

async function losesLineEnd(before: Before, now: Version): Promise<boolean> {
  const areTables = [before, now].every(({ reader }) => reader.dialect.delimiter !== null);
  if (!areTables || (await endsInLineEnd(now.body))) return false;
  return before.hadLineEnd === true || (await endsInLineEnd(before.body));
}

/** Reads a body to its end. @throws BodyFault */
async function requireValid(version: Version): Promise<void> {
  await ofBody(
    version.body,
    forEachRow(version, () => {}),
  );
  requireBody(version, version.reader.summary());
}

function describe(
  before: Version,
  now: Version,
  { found, pairing, warnings }: Omit<PairedDifferences, 'pairing'> & { pairing?: PairingResult },
  isLineEndLost: boolean,
): Comparison {
  const { counts, lines } = found;
  const totals = {
    before: counts.unchanged + counts.changed + counts.deleted,
    now: counts.unchanged + counts.changed + counts.new,
  };
  const { incompleteEnd } = found.now;
  const hadFooter = found.before.warnings.some(({ code }) => code === incompleteEnd?.code);
  const end = hadFooter ? undefined : incompleteEnd;
  const hasDeletedRows = counts.deleted > 0;
  const rows = { ...totals, hasDeletedRows, held: null, rejected: null, heldBeforeMs: null, recheckMs: 0 };
  const isCut = isLineEndLost && hasDifferences(counts) && mayBeCut(rows, now.body.isCloseDelimited === true);
  return {
    counts,
    lines,
    totals,
    // An empty JSON array has no columns. A record keeps those that it had.
    columns: {
      before: found.before.columns,
      now: isBareBody(now.reader.dialect, found.now) ? found.before.columns : found.now.columns,
    },
    warnings: {
      before: [...before.reader.remarks, ...found.before.warnings],
      now: [...now.reader.remarks, ...found.now.warnings, ...warnings],
    },
    ...(pairing && { pairing }),
    isSharpDrop: isSharpDrop(rows) || mayHaveBrokenOff(rows, end) || isCut,
    incompleteEnd: mayHaveBrokenOff(rows, end) ? end : undefined,
    isSurelyCut: end !== undefined,
    isLineEndLost,
    known: now.known,
  };
}

export const hasDifferences = (counts: DifferenceCounts): boolean =>
  counts.new + counts.changed + counts.deleted > 0;

/** Refuses what looks like a response that lost its body, or like another table than before. */
function requireBody({ body, reader }: Version, read: ReadSummary, before?: ReadSummary): void {
  const isBare = isBareBody(reader.dialect, read);
  if (isBare && reader.dialect.format !== 'json') throw new BodyFault(body, new CheckError('empty_body'));
  if (isBare || before === undefined || before.rowCount === 0 || before.columns.length === 0) return;
  if (read.columns.some((column) => before.columns.includes(column))) return;
  throw new BodyFault(
    body,
    new CheckError('malformed_body', 'It has none of the columns of the first version.'),
  );
}

/** Rows that share a key are lost except for the last one. That is accepted only for key fields that the user gave. */
function requireKey({ body, reader: { key } }: Version, { warnings }: ReadSummary): void {
  const repeated = warnings.find(({ code }) => code === 'duplicate_key');
  if (repeated === undefined) return;
  const names = key.fields.map((field) => `“${shorten(field)}”`).join(' and ');
  const words = `The key ${names} was detected in the first version. Name other fields with --key.`;
  throw new BodyFault(body, new CheckError('key_repeated', words));
}
