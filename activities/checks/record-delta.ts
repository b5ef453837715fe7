// The second half of a check: read the fetched body into keyed rows, compare them with the latest snapshot,
// commit what they come to.
import { urlHash } from '../../core/crypto/url-hash.ts';
import { shorten } from '../../core/delta/warnings.ts';
import { CHECK_ERRORS, CheckError } from '../../core/errors.ts';
import { startsOver } from '../../core/generation.ts';
import { isLike, isSharpDrop } from '../../core/sharp-drop.ts';
import { commitProblemCheck } from '../../db/commit/checks.ts';
import type { DeltaOutcome } from '../../db/commit/commit-delta.ts';
import type { DropRows, ReadBody } from '../../db/commit/commit-facts.ts';
import { findRecord, type TrackedRecord } from '../../db/records/records.ts';
import type { CommittedCheck, RecordDeltaInput } from '../../workflows/contract.ts';
import { beginGeneration } from './begin-generation.ts';
import { type CheckDeps, comparingInTurn } from './check-deps.ts';
import { committed, followingCheckInMs, noCheck, triggerOf } from './check-plan.ts';
import { type CheckHead, compareBody, KeyRepeated } from './compare-body.ts';
import { concludeCheck, failCheck } from './conclude-check.ts';
import type { ActivityDeps } from '../deps.ts';
import { findEarlierAttempt } from './earlier-attempt.ts';
import { forgetBodies } from './forget-bodies.ts';
import { heartbeating } from '../heartbeating.ts';
import { keepAllCells } from './keep-all-cells.ts';
import { openStoredBody } from './read-body.ts';
import { asKept, type HeldFacts, underRuleInForce } from './rule-in-force.ts';

/** Idempotent on the check's id. */
export const recordDelta = (deps: CheckDeps, input: RecordDeltaInput): Promise<CommittedCheck> =>
  comparingInTurn(deps, input.recordId, () => compareAndRecord(deps, input));

async function compareAndRecord(deps: ActivityDeps, input: RecordDeltaInput): Promise<CommittedCheck> {
  const earlier = await findEarlierAttempt(deps, input);
  if (earlier !== undefined) return earlier;
  const stored = await findRecord(deps.db, input.recordId);
  const found = stored && (await heartbeating(() => keepAllCells(deps, stored)));
  if (found === undefined) return noCheck(found);
  const { body } = input;
  const isOfAnother = body.urlHash !== urlHash(found.url, found.authVersion);
  const record = startsOver(found) && isOfAnother ? asKept(found) : underRuleInForce(found);
  const check: CheckHead = {
    id: input.checkId,
    recordId: record.id,
    trigger: triggerOf(record, input),
    startedAt: new Date(input.startedAtMs),
    httpStatus: body.httpStatus,
    nextCheckInMs: followingCheckInMs(deps, record, { freshForMs: input.body.freshForMs ?? null }),
  };
  try {
    const outcome = await heartbeating<Awaited<ReturnType<typeof beginGeneration>> | DeltaOutcome>(() =>
      startsOver(record)
        ? beginGeneration(deps, record, check, body)
        : compareBody(deps, record, check, body, (rows) =>
            isSharpDrop({ ...rows, ...heldTimes(deps, input, rows) }),
          ),
    );
    // Read under a rule that is not the record's any more: it is done again under the new one.
    if (outcome.outcome === 'overtaken') return await compareAndRecord(deps, input);
    if (outcome.outcome === 'sharp-drop') return await hold(deps, record, check, input, outcome);
    return await concludeCheck(deps, record, check, body.sha256, outcome);
  } catch (error) {
    if (error instanceof KeyRepeated) {
      return heartbeating(() => holdRepeatedKey(deps, record, check, input, error.body));
    }
    if (!(error instanceof CheckError)) throw error;
    return failCheck(deps, record, check, body, error);
  }
}

/** Clocks are read some milliseconds apart: the second body must not come just too early. */
const SLACK_MS = 50;

/** The second body must be that much younger than the first, whoever asks. */
function heldTimes({ config }: ActivityDeps, { startedAtMs }: RecordDeltaInput, { heldSinceMs }: DropRows) {
  return {
    heldBeforeMs: heldSinceMs === null ? null : Math.max(0, startedAtMs - heldSinceMs),
    recheckMs: config.heldRecheckSeconds * 1_000,
  };
}

async function hold(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: CheckHead,
  { body: fetched }: RecordDeltaInput,
  { rows, body, changes }: Extract<DeltaOutcome, { outcome: 'sharp-drop' }>,
): Promise<CommittedCheck> {
  const isLikeRejected = isLike(rows.now, rows.rejected);
  const isHeldAgain = isLike(rows.now, rows.held);
  const recheckMs = deps.config.heldRecheckSeconds * 1_000;
  const sinceMs = isHeldAgain ? (rows.heldSinceMs ?? Date.now()) : Date.now();
  const leftMs = Math.max(0, sinceMs + recheckMs - Date.now()) + SLACK_MS;
  // To come again confirms nothing then, so there is no hurry.
  const nextCheckInMs = isLikeRejected ? check.nextCheckInMs : leftMs;
  const reason = isLikeRejected
    ? 'Far fewer rows than last time, about as many as were rejected; waiting for somebody to accept them.'
    : CHECK_ERRORS.sharp_drop;
  const dueAt = new Date(Date.now() + leftMs).toISOString();
  const tooSoon = ` A check before ${dueAt} is too soon after the first one with so few rows to confirm it.`;
  const hint = isHeldAgain && !isLikeRejected ? tooSoon : '';
  const facts: HeldFacts = { ...fetched, dialect: body.dialect, dialectVersion: record.dialectVersion };
  const counts = `${rows.now} rows after ${rows.before}`;
  const deliver = await commitProblemCheck(
    deps.db,
    'held',
    { ...check, bytes: body.bytes, rows: rows.now, nextCheckInMs },
    { code: 'sharp_drop', detail: `${reason} ${counts}.${hint}`, warnings: body.warnings },
    { sha256: fetched.sha256, facts, changes, isHeldAgain },
  );
  await forgetBodies(deps, record, [record.bodySha256, fetched.sha256]);
  const until = isLikeRejected ? 'somebody accepts it' : 'a second check confirms it';
  return committed(record, nextCheckInMs, {
    words: `Held: ${counts}, until ${until}.`,
    errorCode: 'sharp_drop',
    deliver,
  });
}

/** Held at each check until the key tells rows apart again, other key fields are given, or somebody accepts. */
async function holdRepeatedKey(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: CheckHead,
  input: RecordDeltaInput,
  body: ReadBody,
): Promise<CommittedCheck> {
  const { body: fetched } = input;
  // Read under a rule that is not the record's any more: it is done again under the new one.
  const now = await findRecord(deps.db, record.id);
  if (now !== undefined && now.generation !== record.generation) return compareAndRecord(deps, input);
  const { reader } = await openStoredBody(deps, record, fetched, { keyFields: undefined });
  const { fields, evidence } = reader.key;
  const quoted = (names: readonly string[]): string =>
    names.map((name) => `“${shorten(name)}”`).join(' and ');
  const count = body.warnings.find(({ code }) => code === 'duplicate_key')?.count ?? 0;
  const words = [
    CHECK_ERRORS.key_repeated,
    `${count === 1 ? 'One row has' : `${count} rows have`} the ${quoted(body.key.fields)} of an earlier row.`,
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
  const deliver = await commitProblemCheck(
    deps.db,
    'held',
    { ...check, bytes: body.bytes, rows: body.rows },
    { code: 'key_repeated', detail: words.join(' '), warnings: body.warnings },
    { sha256: fetched.sha256, facts, changes: null, isHeldAgain: false },
  );
  await forgetBodies(deps, record, [record.bodySha256, fetched.sha256]);
  return committed(record, check.nextCheckInMs, {
    words: `Held: ${words.slice(0, 2).join(' ')}`,
    errorCode: 'key_repeated',
    deliver,
  });
}
