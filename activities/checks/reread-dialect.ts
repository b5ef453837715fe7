// Decides in which dialect the accepted body is read again under another rule: the one it was read in, or the one that newer settings
// of format and delimiter ask for.
import { readPrefix } from '../../core/delta/decode-text.ts';
import { readAs } from '../../core/delta/delimited/detect-table.ts';
import { headerRowOf, quotingOf } from '../../core/delta/model.ts';
import { CheckError } from '../../core/errors.ts';
import { isTableInForce } from '../../core/generation.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { ActivityDeps } from '../deps.ts';
import { openStoredBody } from './read-body.ts';
import { acceptedBody, acceptedDialect, isDialectInForce } from './record-rule.ts';

/**
 * The dialect of the accepted body is known. Newer settings count only together with another header row or quoting, because the body may
 * have been read wrongly in both, and only if the body fits them. Otherwise all of them, also a given header row and the quoting, are those of a
 * body that the origin sends by now.
 */
export async function withDialectToReread(deps: ActivityDeps, record: TrackedRecord): Promise<TrackedRecord> {
  const asBefore = { ...record, dialectVersion: record.headDialectVersion };
  if (isTableInForce(record)) return asBefore;
  if (isDialectInForce(record) || (await fitsSettings(deps, record)))
    return { ...record, putAsideVersion: null };
  return {
    ...asBefore,
    headHeaderRow: record.headerRow ?? record.headHeaderRow,
    headQuoting: record.quoting,
    putAsideVersion: record.settingsVersion,
  };
}

/**
 * Whether the delimiter divides the header and most rows alike, and a larger share of the rows than the delimiter before does, or
 * as many rows into as many cells.
 */
async function fitsSettings(deps: ActivityDeps, record: TrackedRecord): Promise<boolean> {
  try {
    const reading = { keyFields: [], isAccepted: true };
    const { open, reader } = await openStoredBody(deps, record, acceptedBody(record), reading);
    const { dialect } = reader;
    const { delimiter, charset } = dialect;
    const stored = acceptedDialect(record);
    if (!delimiter || !stored?.delimiter || delimiter === stored.delimiter) return true;
    const { text, isWhole } = await readPrefix(open(), charset);
    const askedMarks = { delimiter, quoting: quotingOf(dialect) };
    const storedMarks = { delimiter: stored.delimiter, quoting: quotingOf(stored) };
    const asked = readAs(text, isWhole, askedMarks, headerRowOf(dialect) ?? 1);
    const before = readAs(text, isWhole, storedMarks, headerRowOf(stored) ?? 1);
    if (asked.width <= 1 || asked.share <= 1 / 2) return false;
    const isAsGood = asked.share === before.share && asked.width >= before.width;
    return before.width === 1 || asked.share > before.share || isAsGood;
  } catch (error) {
    if (error instanceof CheckError) return false;
    throw error;
  }
}
