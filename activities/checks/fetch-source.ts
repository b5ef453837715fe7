// The first half of a check: fetches the body into the blob store, through the outbound guard and with a conditional
// request. For an unchanged body and for a failure of the origin this is the whole check: it is committed here, and its
// second half (record-delta.ts) never runs.
import { Context } from '@temporalio/activity';
import { open, rm } from 'node:fs/promises';
import { triggerOf } from '../../core/checks.ts';
import { hasLineEnd } from '../../core/delta/line-end.ts';
import { readFileAt } from '../../core/delta/raw/read-at.ts';
import { CheckError, type CheckErrorCode } from '../../core/errors.ts';
import { type NextCheck, usedRetryAfterMs } from '../../core/next-check.ts';
import { TIERS } from '../../core/tiers.ts';
import { commitUnchangedCheck } from '../../db/commit/checks.ts';
import type { CheckFacts, Validators } from '../../db/commit/commit-facts.ts';
import { noteBody } from '../../db/upkeep/loose-bodies.ts';
import { findRecord, type TrackedRecord } from '../../db/records/records.ts';
import type { CommittedCheck, FetchInput, FetchResult } from '../../workflows/contract.ts';
import { noteProgress, waiting, wasPaused } from '../../db/driver/pulse.ts';
import { briefly, type CheckDeps, fairnessKeyOf, uncompared } from './check-deps.ts';
import { followingCheckInMs } from './check-plan.ts';
import { committed, countFailure, noCheck } from './committed-check.ts';
import { findEarlierAttempt } from './earlier-attempt.ts';
import { commitProblem } from './commit-problem.ts';
import { waitingForOthers } from '../check-slots.ts';
import type { ActivityDeps } from '../deps.ts';
import { countBytes, countCheck, recordLag, timePart } from '../../telemetry/checks.ts';
import { forgetHeldBodies, removeBody } from './kept-bodies.ts';
import { conditions, isAccepted, isOfAnotherBody, urlHashOf } from './unchanged-body.ts';
import { heartbeating } from '../heartbeating.ts';
import { fetchBody, type FetchedResponse, type FetchOptions } from '../fetch/fetch-body.ts';
import { FetchFailure } from '../fetch/fetch-failure.ts';
import { validatorsOf } from '../fetch/kept-headers.ts';
import type { OriginTurn } from '../fetch/origin-turns.ts';
import type { SpoolReservation } from '../fetch/spool-quota.ts';
import { openCredentials } from './open-credentials.ts';
import { userAgent } from '../fetch/open-origin.ts';

/** The longest time that a body may arrive below its tier's lowest rate. */
const LONGEST_GRACE_MS = 60_000;
/** An account with this many uncompared bodies, or without space for another one, fetches no more. */
const MOST_UNCOMPARED = 64;
const FULL_WAIT_MS = 5_000;

/** Idempotent on the check's id: however often it runs, a check is committed once. */
export async function fetchSource(deps: CheckDeps, input: FetchInput): Promise<FetchResult> {
  const earlier = await findEarlierAttempt(deps, input);
  if (earlier !== undefined) return earlier;
  const record = await findRecord(deps.db, input.recordId);
  if (record === undefined) return noCheck(record);
  if (record.status === 'paused' && input.trigger === 'schedule') return noCheck(record);
  return fetchInTurn(deps, record, input, Context.current().cancellationSignal);
}

/**
 * Fetches, and commits what needs no comparison. Answers `later` when others are at the origin.
 * @param signal ends the fetch
 */
export async function fetchInTurn(
  deps: CheckDeps,
  record: TrackedRecord,
  input: FetchInput,
  signal: AbortSignal,
): Promise<FetchResult> {
  const turn = await takeTurn(deps, record, input, signal);
  if ('waitMs' in turn) return { kind: 'later', ...turn };
  const startedAt = new Date();
  const check = { id: input.checkId, recordId: record.id, trigger: triggerOf(record, input), startedAt };
  if (input.trigger === 'schedule') recordLag(record.nextCheckAt, startedAt);
  const reserved = deps.spool.open(fairnessKeyOf(record));
  try {
    const fetched = await timePart('fetch', () =>
      heartbeating(() => waitingForOthers(() => fetch(deps, record, reserved, signal))).finally(turn.release),
    );
    if (fetched === 'gone') return await afterRecord(deps, record.id);
    if (fetched.status === 'ok') countBytes(fetched.sizeBytes);
    return await storeOrCommit(deps, record, check, fetched);
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    return fail(deps, record, check, error);
  } finally {
    reserved.release();
  }
}

/** Takes a slot of the account, then one of the origin. A fetch needs both. */
export async function takeTurn(
  deps: CheckDeps,
  record: Pick<TrackedRecord, 'tier' | 'accountId' | 'url'>,
  { hasWaited = false }: Pick<FetchInput, 'hasWaited'>,
  signal: AbortSignal,
): Promise<OriginTurn> {
  const { turns, fetching, spool } = deps;
  const fairnessKey = fairnessKeyOf(record);
  if (uncompared(deps, fairnessKey) >= MOST_UNCOMPARED || spool.isFull(fairnessKey))
    return { waitMs: FULL_WAIT_MS };
  const own = await waitingForOthers(() => fetching.take('', fairnessKey, hasWaited, signal));
  if ('waitMs' in own || turns === undefined) return own;
  try {
    const there = await waitingForOthers(() =>
      turns.take(new URL(record.url).host, fairnessKey, hasWaited, signal),
    );
    if ('release' in there) {
      const release = (): void => {
        there.release();
        own.release();
      };
      return { release };
    }
    own.release();
    return there;
  } catch (error) {
    own.release();
    throw error;
  }
}

/** Failures that a pause of this process causes too: its timers run out, and origins close connections. */
const OF_CONNECTIONS: ReadonlySet<CheckErrorCode> = new Set([
  'origin_timeout',
  'origin_unreachable',
  'body_truncated',
]);

/** Nothing is known about the origin then. The attempt is repeated. */
class PausedError extends Error {
  constructor() {
    super('The process was stopped during the fetch');
    this.name = 'PausedError';
  }
}

/**
 * @returns `gone` when the record was deleted meanwhile, or its session is over
 * @throws PausedError
 */
async function fetch(
  deps: CheckDeps,
  record: TrackedRecord,
  reserved: SpoolReservation,
  stop: AbortSignal,
): Promise<FetchedResponse | 'gone'> {
  const credentials = await openCredentials(deps, record);
  const { maxBodyBytes, maxFetchSeconds, minBytesPerSecond } = TIERS[record.tier];
  const gone = deps.gone.watch(record.id);
  try {
    const signal = AbortSignal.any([stop, gone.signal]);
    const options: FetchOptions = {
      url: record.url,
      guard: record.tier === 'anonymous' ? deps.anonymousGuard : deps.guard,
      userAgent: userAgent(deps.config.baseUrl),
      conditions: conditions(record),
      credentials,
      folder: deps.spoolDir,
      maxBytes: maxBodyBytes,
      totalTimeoutMs: maxFetchSeconds * 1_000,
      graceMs: Math.min(LONGEST_GRACE_MS, (maxFetchSeconds * 1_000) / 6),
      minBytesPerSecond,
      onProgress: (bytes) => {
        noteProgress();
        reserved.growTo(bytes);
      },
      takeWindow: () => waiting(() => deps.windows.take(fairnessKeyOf(record), { signal })),
      signal,
    };
    const fetched = await fetchBody(options);
    return isOfAnotherBody(record, fetched) ? await fetchBody({ ...options, conditions: {} }) : fetched;
  } catch (error) {
    if (gone.signal.aborted && !stop.aborted) return 'gone';
    if (error instanceof FetchFailure && OF_CONNECTIONS.has(error.code) && wasPaused())
      throw new PausedError();
    throw error;
  } finally {
    gone.forget();
  }
}

/** The record of an ended session exists until the next plan deletes it. */
async function afterRecord({ db }: ActivityDeps, recordId: string): Promise<CommittedCheck> {
  return { ...noCheck(await findRecord(db, recordId)), isPlanStale: true };
}

type CheckBeginning = Pick<CheckFacts, 'id' | 'recordId' | 'trigger' | 'startedAt'>;

async function storeOrCommit(
  deps: CheckDeps,
  record: TrackedRecord,
  check: CheckBeginning,
  fetched: FetchedResponse,
): Promise<FetchResult> {
  const { httpStatus } = fetched;
  const freshForMs = fetched.headers.freshForMs ?? null;
  if (fetched.status === 'not_modified') {
    // Those of the body stay. A validator that only the 304 has may belong to another body.
    const { etag, lastModified } = record;
    const validators = { urlHash: urlHashOf(record), etag, lastModified };
    return unchanged(deps, record, { ...check, httpStatus, bytes: 0, freshForMs }, validators);
  }
  const { etag, lastModified } = validatorsOf(fetched.headers);
  const { sha256, sizeBytes, file, isCloseDelimited } = fetched;
  const contentType = fetched.headers.contentType ?? null;
  let isOpenEnded = false;
  try {
    if (await heartbeating(() => isAccepted(record, fetched))) {
      return await unchanged(
        deps,
        record,
        { ...check, httpStatus, bytes: sizeBytes, freshForMs },
        { urlHash: urlHashOf(record), etag, lastModified },
      );
    }
    isOpenEnded = !(await endsInLineEnd(fetched));
    await noteBody(deps.db, { recordId: record.id, sha256 }, fetched.answer());
    await heartbeating(() => deps.blobs.put(record.id, sha256, file));
    if ((await findRecord(deps.db, record.id)) === undefined) {
      // Erasing may have finished, so this activity must remove what it stores from now on.
      await removeBody(deps, { recordId: record.id, sha256 });
      return await afterRecord(deps, record.id);
    }
  } finally {
    await rm(file, { force: true });
  }
  return {
    kind: 'fetched',
    startedAtMs: check.startedAt.getTime(),
    body: {
      urlHash: urlHashOf(record),
      sha256,
      sizeBytes,
      httpStatus,
      contentType,
      ...(isOpenEnded && { isOpenEnded, ...(isCloseDelimited && { isCloseDelimited }) }),
      etag,
      lastModified,
      ...(freshForMs === null ? {} : { freshForMs }),
      startsOver: record.startsOverGeneration === record.generation,
      askedBeforeMs: record.originAskedAt?.getTime() ?? null,
    },
  };
}

async function endsInLineEnd({ file, sizeBytes }: { file: string; sizeBytes: number }): Promise<boolean> {
  const opened = await open(file);
  try {
    return await hasLineEnd(readFileAt(opened), sizeBytes);
  } finally {
    await opened.close();
  }
}

async function unchanged(
  deps: CheckDeps,
  record: TrackedRecord,
  {
    freshForMs,
    ...check
  }: CheckBeginning & Pick<CheckFacts, 'httpStatus' | 'bytes'> & Pick<NextCheck, 'freshForMs'>,
  validators: Validators,
): Promise<FetchResult> {
  const nextInMs = followingCheckInMs(deps, record, { freshForMs: freshForMs ?? null });
  const { originAskedAt: originAskedBefore } = record;
  const facts = { ...check, rows: null, nextCheckInMs: nextInMs, originAskedBefore };
  const deliver = await briefly(deps, fairnessKeyOf(record), async () => {
    const committing = () => commitUnchangedCheck(deps.db, facts, validators, record.snapshotId);
    const owed = await timePart('commit', committing);
    countCheck('unchanged');
    // Another attempt may have committed this check as held or failed.
    if (record.heldSha256 !== null) await forgetHeldBodies(deps, record, record.heldSha256);
    return owed;
  });
  return committed(record, nextInMs, {
    words: `Unchanged: ${record.totalRows} rows, status ${check.httpStatus}.`,
    deliver,
  });
}

/** Says nothing of the time, so that a failure that continues keeps its words. */
const LATER = 'The next check comes later than planned, because the origin asked for a wait (Retry-After).';

async function fail(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: CheckBeginning,
  error: CheckError,
): Promise<FetchResult> {
  const {
    httpStatus = null,
    retryAfterMs = null,
    answer = null,
  } = error instanceof FetchFailure ? error : {};
  const nextInMs = followingCheckInMs(deps, record, { retryAfterMs });
  const isLater = retryAfterMs !== null && nextInMs === usedRetryAfterMs(retryAfterMs);
  const { detail, deliver } = await commitProblem(deps, record, urlHashOf(record), [
    'failed',
    {
      ...check,
      httpStatus,
      bytes: null,
      rows: null,
      nextCheckInMs: nextInMs,
      originAskedBefore: record.originAskedAt,
    },
    { code: error.code, detail: isLater ? `${error.message} ${LATER}` : error.message, answer },
  ]);
  return committed(record, nextInMs, {
    words: `Failed (${error.code}): ${detail}`,
    ...countFailure(record, check.trigger, error.code),
    deliver,
  });
}
