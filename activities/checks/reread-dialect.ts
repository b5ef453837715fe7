// Decides in which dialect the accepted body is read again under another rule: the one it was read in, or the one that newer settings
// of format and delimiter ask for.
import { readPrefix } from '../../core/delta/decode-text.ts';
import { readHeader } from '../../core/delta/delimited/parse-delimited.ts';
import { headerRowOf } from '../../core/delta/model.ts';
import { CheckError } from '../../core/errors.ts';
import { isHeaderInForce } from '../../core/generation.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { ActivityDeps } from '../deps.ts';
import { acceptedBody, isDialectInForce, openStoredBody } from './read-body.ts';

/**
 * The dialect of the accepted body is known. Newer settings count only together with another header row, because the body may
 * have been read wrongly in both, and only if the body fits them: they may be those of a body that the origin sends by now.
 */
export async function withDialectToReread(deps: ActivityDeps, record: TrackedRecord): Promise<TrackedRecord> {
  const isKnown = isDialectInForce(record) || isHeaderInForce(record);
  if (!isKnown && (await fitsSettings(deps, record))) return record;
  return { ...record, dialectVersion: record.headDialectVersion };
}

/** Whether the delimiter divides the header, or the table had a single column before. */
async function fitsSettings(deps: ActivityDeps, record: TrackedRecord): Promise<boolean> {
  try {
    const reading = { keyFields: [], isAccepted: true };
    const { open, reader, limits } = await openStoredBody(deps, record, acceptedBody(record), reading);
    const { dialect } = reader;
    const { delimiter, charset } = dialect;
    if (delimiter === null || record.columns.length === 1) return true;
    const { text } = await readPrefix(open(), charset);
    return readHeader(text, delimiter, headerRowOf(dialect) ?? 1, limits).length > 1;
  } catch (error) {
    if (error instanceof CheckError) return false;
    throw error;
  }
}
