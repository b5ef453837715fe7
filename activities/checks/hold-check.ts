// Holds bodies that need a second look before they are recorded: those with far fewer rows than the previous one, those that
// end as after an export that broke off, and those in which the key repeats.
import { shorten } from '../../core/delta/warnings.ts';
import { CHECK_ERRORS } from '../../core/errors.ts';
import {
  brokenOff,
  isFewRows,
  isLike,
  isLikeHeldCut,
  isSameHold,
  type OpenEndedRun,
  rowsAfter,
  withOpenEnded,
} from '../../core/sharp-drop.ts';
import type { DeltaOutcome } from '../../db/commit/commit-delta.ts';
import type { CheckStart, DropRows, ReadBody } from '../../db/commit/commit-facts.ts';
import { findRecord, type TrackedRecord } from '../../db/records/records.ts';
import type { CommittedCheck, RecordDeltaInput } from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';
import { committed } from './committed-check.ts';
import { commitProblem } from './commit-problem.ts';
import { forgetHeldBodies } from './kept-bodies.ts';
import { openStoredBody } from './read-body.ts';
import { type HeldFacts } from './record-rule.ts';

/** What is known of the end of a held body. */
export interface HeldEnd {
  /** Whether the body is held because its last line may be cut. */
  isCut: boolean;
  /** Null unless it has lost the line end of the table. */
  run: OpenEndedRun | null;
}

/** The process's and the database's clock are read at different times. The recheck must not come too early. */
const SLACK_MS = 50;

/** How long the first body has been held when this check began, and how long it must have been to be confirmed. */
export function heldTimes(
  deps: ActivityDeps,
  { startedAtMs }: Pick<RecordDeltaInput, 'startedAtMs'>,
  rows: DropRows,
) {
  const { heldSinceMs } = rows;
  return {
    heldBeforeMs: heldSinceMs === null ? null : Math.max(0, startedAtMs - heldSinceMs),
    recheckMs: deps.config.heldRecheckSeconds * 1_000,
  };
}

/** With the current body (withOpenEnded), by the database's clock. A rejection ends a run, and so does a body that is held because of it. */
export function openEndedRunOf(
  { config }: ActivityDeps,
  { held, rejected, openEndedRun, clockAheadMs }: DropRows,
  startedAtMs: number,
  isSurelyCut: boolean,
): OpenEndedRun {
  const isEnded = rejected !== null && isLike(held ?? rejected, rejected);
  const atMs = startedAtMs + clockAheadMs;
  return withOpenEnded(isEnded ? null : openEndedRun, atMs, config.heldRecheckSeconds * 1_000, isSurelyCut);
}

/**
 * Holds a body with far fewer rows than the previous one, or one that looks as if its export broke off. A second body with about
 * as many rows confirms it; one that may be cut, only as isLikeHeldCut says or after a run of them.
 */
export async function holdSharpDrop(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: CheckStart,
  { body: fetched }: RecordDeltaInput,
  { rows, body, changes }: Extract<DeltaOutcome, { outcome: 'sharp-drop' }>,
  { isCut, run }: HeldEnd,
): Promise<CommittedCheck> {
  const isLikeRejected = isLike(rows.now, rows.rejected);
  // A body that was held because a similar one was rejected confirms nothing, so the time since then does not count either.
  const isLikeHeld = isCut
    ? isLikeHeldCut(rows)
    : rows.held !== null && isLike(rows.now, rows.held) && !isLike(rows.held, rows.rejected);
  const recheckMs = deps.config.heldRecheckSeconds * 1_000;
  // A body with its line end does not confirm one without, so its time does not count for that one.
  const mayConfirm = isLikeHeld && (run === null || rows.isHeldOpenEnded);
  const sinceMs = mayConfirm ? (rows.heldSinceMs ?? Date.now()) : Date.now();
  const leftMs = Math.max(0, sinceMs + recheckMs - Date.now()) + SLACK_MS;
  // A person has rejected such a body, so a second one cannot confirm it and need not come early.
  const nextCheckInMs = isLikeRejected ? check.nextCheckInMs : leftMs;
  const { counts, detail, general } = wordsOf(rows, body.incompleteEnd, { isCut, isLikeRejected });
  const dueAt = new Date(Date.now() + leftMs).toISOString();
  const tooSoon = ` A check before ${dueAt} is too soon after the first such body to confirm it.`;
  const hint = mayConfirm && !isLikeRejected ? tooSoon : '';
  const facts: HeldFacts = {
    ...fetched,
    dialect: body.dialect,
    dialectVersion: record.dialectVersion,
    rowsSinceMs: sinceMs + rows.clockAheadMs,
    ...(run !== null && { openEndedRun: run }),
  };
  const isHeldAgain = isLikeHeld || isLikeRejected || (run !== null && isSameHold(rows));
  const { deliver } = await commitProblem(deps, record, fetched.urlHash, [
    'held',
    { ...check, bytes: body.bytes, rows: rows.now, nextCheckInMs },
    { code: 'sharp_drop', detail: `${detail}${hint}`, general, warnings: body.warnings },
    { sha256: fetched.sha256, facts, changes, isHeldAgain },
  ]);
  await forgetHeldBodies(deps, record, fetched.sha256);
  const until = isLikeRejected ? 'somebody accepts it' : 'a second check confirms it';
  return committed(record, nextCheckInMs, {
    words: `Held: ${counts}, until ${until}.`,
    errorCode: 'sharp_drop',
    deliver,
  });
}

/** @returns what the check says, with the row counts and without them */
function wordsOf(
  rows: DropRows,
  incompleteEnd: ReadBody['incompleteEnd'],
  { isCut, isLikeRejected }: { isCut: boolean; isLikeRejected: boolean },
): { counts: string; detail: string; general: string } {
  if (isFewRows(rows) && !isCut) {
    const counts = `${rows.now} rows after ${rows.before}`;
    const general = CHECK_ERRORS.sharp_drop;
    return { counts, general, detail: `${isLikeRejected ? FEW_AS_REJECTED : general} ${counts}.` };
  }
  const end = isCut ? undefined : incompleteEnd;
  const what = brokenOff(rows, end);
  const counts = rowsAfter(rows, end);
  const waiting = isLikeRejected ? AS_REJECTED : 'Waiting for a second check to confirm.';
  return { counts, general: `${what}.`, detail: `${what}: ${counts}. ${waiting}` };
}

const FEW_AS_REJECTED =
  'Far fewer rows than last time, about as many as were rejected; waiting for somebody to accept them.';
const AS_REJECTED = 'About as many were rejected; waiting for somebody to accept them.';

/**
 * Holds a body in which the detected key repeats. Every later body with a repeated key is held too, until the user sets key
 * fields or accepts the check. Only the first one is news.
 * @returns undefined when the record's generation changed after the body was read; nothing is written then
 */
export async function holdRepeatedKey(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: CheckStart,
  input: RecordDeltaInput,
  body: ReadBody,
): Promise<CommittedCheck | undefined> {
  const { body: fetched } = input;
  const now = await findRecord(deps.db, record.id);
  if (now !== undefined && now.generation !== record.generation) return undefined;
  // The column is JSON; this module writes it. A good check empties it, and the rejection of a repeated key does not.
  const heldBefore = (now?.heldBody ?? null) as HeldFacts | null;
  const isHeldAgain = heldBefore?.isKeyRepeated === true && heldBefore.urlHash === fetched.urlHash;
  const { reader } = await openStoredBody(deps, record, fetched, { keyFields: undefined });
  const { fields, evidence } = reader.key;
  const quoted = (names: readonly string[]): string =>
    names.map((name) => `“${shorten(name)}”`).join(' and ');
  const count = body.warnings.find(({ code }) => code === 'duplicate_key')?.count ?? 0;
  const repeats = count === 1 ? 'One row has' : `${count} rows have`;
  const words = [
    CHECK_ERRORS.key_repeated,
    `${repeats} the ${quoted(body.key.fields)} of an earlier row.`,
    `The body has ${body.rows} rows, and the last snapshot has ${record.totalRows}.`,
    'Nothing is recorded until you set key fields, or accept this check.',
    fields.length === 0
      ? 'Accepted, rows are known by their content.'
      : `Accepted, rows are known by ${quoted(fields)}.`,
    ...(evidence === null || evidence.alternatives.length === 0
      ? []
      : [`Also different in every row: ${quoted(evidence.alternatives)}.`]),
  ];
  const facts: HeldFacts = {
    ...fetched,
    dialect: body.dialect,
    dialectVersion: record.dialectVersion,
    isKeyRepeated: true,
  };
  const { deliver } = await commitProblem(deps, record, fetched.urlHash, [
    'held',
    { ...check, bytes: body.bytes, rows: body.rows },
    { code: 'key_repeated', detail: words.join(' '), warnings: body.warnings },
    { sha256: fetched.sha256, facts, changes: null, isHeldAgain },
  ]);
  await forgetHeldBodies(deps, record, fetched.sha256);
  return committed(record, check.nextCheckInMs, {
    words: `Held: ${CHECK_ERRORS.key_repeated} ${repeats} the key of an earlier row.`,
    errorCode: 'key_repeated',
    deliver,
  });
}
