// Earlier versions left out cells beyond the header. Before another body is compared with rows that they stored, these are
// read again with all of their cells.
import { randomUUID } from 'node:crypto';
import { headerRowOf } from '../../core/delta/model.ts';
import { CheckError } from '../../core/errors.ts';
import { startsOver } from '../../core/generation.ts';
import { makeId } from '../../core/ids.ts';
import { findRecord, readCheckTimes, type TrackedRecord } from '../../db/records/records.ts';
import type { ActivityDeps } from '../deps.ts';
import { beginGeneration } from './begin-generation.ts';
import { openStoredBody } from './read-body.ts';
import { acceptedBody, acceptedDialect, knownKey, underRuleInForce } from './rule-in-force.ts';

/**
 * Begins a generation from the accepted body if rows of it have such cells; else the rows are stored whole already. Runs
 * once for a record, because what is committed next says where its header is.
 * @returns the record as it is then; undefined if it was deleted
 */
export async function keepAllCells(
  deps: ActivityDeps,
  record: TrackedRecord,
): Promise<TrackedRecord | undefined> {
  const dialect = acceptedDialect(record);
  if (dialect === undefined || !mayLackCells(record)) return record;
  try {
    const kept = { ...underRuleInForce(record), dialectVersion: record.headDialectVersion };
    if (!(await hasExtraCells(deps, kept))) {
      return { ...record, dialect: { ...dialect, headerRow: headerRowOf(dialect) } };
    }
    const { nextCheckInMs } = await readCheckTimes(deps.db, record.id);
    const check = {
      id: makeId('check', Date.now(), randomUUID()),
      recordId: record.id,
      trigger: 'settings' as const,
      startedAt: new Date(),
      httpStatus: null,
      nextCheckInMs,
    };
    await beginGeneration(deps, kept, check, acceptedBody(record));
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    // It cannot be read whole, or is not kept: the next body is compared as this one was read, with a warning.
    deps.log.warn({ err: error, recordId: record.id }, 'cells beyond the header are still left out');
    return record;
  }
  const begun = await findRecord(deps.db, record.id);
  return begun === undefined ? undefined : keepAllCells(deps, begun);
}

function mayLackCells(record: TrackedRecord): boolean {
  const dialect = acceptedDialect(record);
  const isOld = dialect?.headerRow === undefined && dialect?.delimiter !== null;
  return isOld && record.snapshotId !== null && !record.isHeldAccepted && !startsOver(record);
}

async function hasExtraCells(deps: ActivityDeps, record: TrackedRecord): Promise<boolean> {
  const reading = { keyFields: knownKey(record), isAccepted: true };
  const { reader } = await openStoredBody(deps, record, acceptedBody(record), reading);
  for await (const _rows of reader.batches()) {
    // Only the warnings are of interest.
  }
  return reader.summary().warnings.some(({ code }) => code === 'extra_cells');
}
