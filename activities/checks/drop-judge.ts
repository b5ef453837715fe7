// Decides under the lock of a commit whether a body is held because of its rows: few of them, or an end as after an export or a
// transfer that broke off.
import { hasLineEnd } from '../../core/delta/line-end.ts';
import type { Dialect } from '../../core/delta/model.ts';
import { CheckError } from '../../core/errors.ts';
import { startsOver } from '../../core/generation.ts';
import {
  hasLostLineEnd,
  isSharpDrop,
  mayBeCut,
  mayHaveBrokenOff,
  type OpenEndedRun,
} from '../../core/sharp-drop.ts';
import type { DeltaCommit, ReadBody } from '../../db/commit/commit-facts.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { RecordDeltaInput } from '../../workflows/contract.ts';
import { BlobDamaged, BlobNotFound } from '../blobs/blob-store.ts';
import type { ActivityDeps } from '../deps.ts';
import { type HeldEnd, heldTimes, openEndedRunOf } from './hold-check.ts';
import { openStoredBody } from './read-body.ts';
import { acceptedBody, acceptedDialect } from './record-rule.ts';

/** What a commit asks under its lock. */
export type CommitJudge = Pick<DeltaCommit, 'isSharpDrop' | 'openEndedRun'>;

interface DropJudge extends CommitJudge {
  /** What is known of the end of the body that isSharpDrop has held. */
  heldEnd: () => HeldEnd;
  /**
   * Call it for a body that isSharpDrop has held. Reads the accepted body if the check that read it is no longer kept.
   * @returns whether that body ended in the same way, so that the new one must not be held because of its end
   */
  findsFooter: (record: TrackedRecord, body: ReadBody) => Promise<boolean>;
}

interface Ends {
  /** Whether the accepted body is known to have an incomplete row. */
  hasFooter: boolean;
  /** Whether the table ends in a line end, and this body does not. */
  isLineEndLost: boolean;
}

export function createDropJudge(deps: ActivityDeps, input: RecordDeltaInput, ends: Ends): DropJudge {
  let isUnclear = false;
  let end: HeldEnd = { isCut: false, run: null };
  let recordedRun: OpenEndedRun | null = null;
  return {
    isSharpDrop: async (rows, { incompleteEnd, dialect }, findEarlier) => {
      isUnclear = false;
      const { delimiter } = dialect as Dialect; // the reader's
      const isLineEndLost = ends.isLineEndLost && delimiter !== null && rows.before > 0;
      const times = heldTimes(deps, input, rows);
      const mayBreakOff = !ends.hasFooter && mayHaveBrokenOff({ ...rows, ...times }, incompleteEnd);
      let hasNewEnd = false;
      if (incompleteEnd !== undefined && !ends.hasFooter && (mayBreakOff || isLineEndLost)) {
        const earlier = await findEarlier();
        isUnclear = earlier === undefined;
        hasNewEnd = earlier?.some(({ code }) => code === incompleteEnd.code) !== true;
      }
      const run = isLineEndLost ? openEndedRunOf(deps, rows, input.startedAtMs, hasNewEnd) : null;
      const timed = { ...rows, ...times, openEndedBodies: hasNewEnd ? 0 : (run?.bodies ?? 0) };
      end = { isCut: false, run };
      // The same rows without the line end may be cut in an ignored column, so they confirm no other body.
      recordedRun = hasLostLineEnd(rows.isUnchanged ? { ...timed, held: null } : timed) ? null : run;
      if (isSharpDrop(timed)) return true;
      if (mayBreakOff && hasNewEnd) return true;
      const isCut =
        run !== null && !rows.isUnchanged && mayBeCut(timed, input.body.isCloseDelimited === true);
      end = { isCut, run };
      return isCut;
    },
    openEndedRun: () => recordedRun,
    heldEnd: () => end,
    findsFooter: async (record, { incompleteEnd }) =>
      isUnclear && (await readWarnings(deps, record)).some(({ code }) => code === incompleteEnd?.code),
  };
}

/** The warnings about the rows of the accepted body; none if it is damaged or gone. */
async function readWarnings(deps: ActivityDeps, record: TrackedRecord): Promise<readonly { code: string }[]> {
  try {
    const reading = { keyFields: record.headKeyFields, isAccepted: true };
    const { reader } = await openStoredBody(deps, record, acceptedBody(record), reading);
    for await (const _rows of reader.batches()) {
      // Only the warnings are needed.
    }
    return reader.summary().warnings;
  } catch (error) {
    if (error instanceof CheckError) return [];
    throw error;
  }
}

/**
 * Whether a body lacks the line end that the table has: the accepted body, or the ones before it that did not end in one either and
 * may all be cut. Of a body that ends in one, nothing is read.
 * @returns true too if the accepted body is gone or damaged: as nothing is known of it, a second body must confirm this one
 */
export async function losesLineEnd(
  deps: ActivityDeps,
  record: TrackedRecord,
  { isOpenEnded }: RecordDeltaInput['body'],
): Promise<boolean> {
  const hasCells = (acceptedDialect(record)?.delimiter ?? null) !== null;
  if (isOpenEnded !== true || !hasCells || startsOver(record)) return false;
  const { sha256, sizeBytes } = acceptedBody(record);
  if (record.openEndedRun?.sha256 === sha256) return true;
  try {
    await using stored = await deps.blobs.open(record.id, sha256);
    return await hasLineEnd(stored.read, sizeBytes);
  } catch (error) {
    if (error instanceof BlobNotFound || error instanceof BlobDamaged) return true;
    throw error;
  }
}
