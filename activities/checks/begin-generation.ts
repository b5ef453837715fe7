// Stores all rows of a body as a new generation of its record, without comparing them with earlier rows: the accepted body
// under a new rule, or a new body after the user asked to start over.
import type { CheckStart, Validators } from '../../db/commit/commit-facts.ts';
import { commitGeneration, type GenerationOutcome } from '../../db/commit/commit-generation.ts';
import { findRecord, readCheckTimes, type TrackedRecord } from '../../db/records/records.ts';
import { timeCommit } from '../../telemetry/checks.ts';
import { indexBody } from './compare-by-bytes.ts';
import type { ActivityDeps } from '../deps.ts';
import { describeBody, openStoredBody, type StoredBody } from './read-body.ts';
import {
  acceptedBody,
  acceptedDialect,
  keyToBe,
  knownKey,
  withCurrentParser,
  ruleOf,
  withRuleInForce,
} from './record-rule.ts';
import { randomUUID } from 'node:crypto';
import { cellText, splitRowJson } from '../../core/delta/keys/keyed-row.ts';
import { isEndMark } from '../../core/delta/end-mark.ts';
import { PARSER_VERSION } from '../../core/delta/model.ts';
import { CheckError } from '../../core/errors.ts';
import { startsOver } from '../../core/generation.ts';
import { makeId } from '../../core/ids.ts';

/**
 * @param record with the new rule, and the number of the current generation
 * @param heldCheckId the check that a person accepted although its key repeats; another key is detected in its body
 * @throws CheckError the body cannot be read under this rule; the current generation stays
 */
export async function beginGeneration(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: CheckStart,
  body: StoredBody & Validators,
  heldCheckId?: string,
): Promise<GenerationOutcome> {
  const isAccepted = check.trigger === 'settings';
  const opened = await openStoredBody(deps, record, body, {
    keyFields: heldCheckId === undefined ? keyToBe(record) : undefined,
    isAccepted,
  });
  const { reader } = opened;
  const read = () => describeBody(record, opened, reader.summary(), body);
  const commit = {
    check,
    validators: body,
    batches: reader.storedBatches(),
    body: read,
    rule: ruleOf(record),
    storedSha256: isAccepted ? body.sha256 : null,
    ...(heldCheckId !== undefined && { heldCheckId }),
  };
  const outcome = await timeCommit(commit, (timed) => commitGeneration(deps.db, timed));
  if (outcome.outcome === 'rekeyed') {
    const begun = { ...record, generation: record.generation + 1, sequence: outcome.sequence };
    await indexBody(deps, begun, { ...read(), dialect: reader.dialect });
  }
  return outcome;
}

/**
 * Earlier versions read some cells in another way. Before the next body is compared with rows from such a version, this reads
 * the accepted body again, and begins a generation if that gives other cells. Runs once for each record, because the next
 * commit stores the reading.
 * @returns the record after that; undefined if it was deleted
 */
export async function upgradeParsedRows(
  deps: ActivityDeps,
  record: TrackedRecord,
): Promise<TrackedRecord | undefined> {
  const dialect = acceptedDialect(record);
  if (dialect === undefined || !mayParseOtherwise(record)) return record;
  try {
    const kept = { ...withRuleInForce(record), dialectVersion: record.headDialectVersion };
    if (!(await parsesOtherwise(deps, kept))) return { ...record, dialect: withCurrentParser(dialect) };
    const { untilDueMs } = await readCheckTimes(deps.db, record.id);
    const check = {
      id: makeId('check', Date.now(), randomUUID()),
      recordId: record.id,
      trigger: 'settings' as const,
      startedAt: new Date(),
      httpStatus: null,
      nextCheckInMs: untilDueMs,
    };
    await beginGeneration(deps, kept, check, acceptedBody(record));
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    // The stored body cannot be read. Compare the next one as the earlier versions did.
    deps.log.warn(
      { code: error.code, recordId: record.id },
      'rows of an earlier version were not read again',
    );
    return record;
  }
  const begun = await findRecord(deps.db, record.id);
  return begun === undefined ? undefined : upgradeParsedRows(deps, begun);
}

function mayParseOtherwise(record: TrackedRecord): boolean {
  const dialect = acceptedDialect(record);
  const isOld = dialect?.delimiter !== null && dialect?.reading !== PARSER_VERSION;
  return isOld && record.snapshotId !== null && !record.isHeldAccepted && !startsOver(record);
}

/** Text after a closing quote, with a doubled quote before it: an earlier version kept one of the two. */
const LITERAL_QUOTES = /^"[^"]*""(?:[^"]|"")*"[^"]/;

async function parsesOtherwise(deps: ActivityDeps, record: TrackedRecord): Promise<boolean> {
  const reading = { keyFields: knownKey(record), isAccepted: true };
  const { reader } = await openStoredBody(deps, record, acceptedBody(record), reading);
  if (await hasEndMark(deps, record, reader.dialect.charset)) return true;
  if (acceptedDialect(record)?.reading !== undefined) return false;
  let isLiteral = false;
  for await (const rows of reader.batches()) {
    isLiteral ||= rows.some(({ data }) => data.includes(String.raw`\"\"`) && hasLiteralQuotes(data));
  }
  const { columns, warnings } = reader.summary();
  const isDropped = acceptedDialect(record)?.headerRow === undefined;
  const hasExtra = isDropped && warnings.some(({ code }) => code === 'extra_cells');
  return isLiteral || hasExtra || columns.some((name) => LITERAL_QUOTES.test(name));
}

async function hasEndMark(deps: ActivityDeps, record: TrackedRecord, charset: string): Promise<boolean> {
  const { sha256, sizeBytes } = acceptedBody(record);
  await using stored = await deps.blobs.open(record.id, sha256);
  const end = Buffer.alloc(Math.min(sizeBytes, 2));
  await stored.read(end, sizeBytes - end.length);
  return isEndMark(end, charset);
}

const hasLiteralQuotes = (data: string): boolean =>
  splitRowJson(data).some(([, token]) => LITERAL_QUOTES.test(cellText(token)));
