// Commits a failed or a held check. Its texts may quote a body in which the origin echoes the record's credentials, so the
// credentials are removed before a text reaches the database, Temporal or a log.
import { hash } from 'node:crypto';
import type { CheckWarning } from '../../core/checks.ts';
import { echoTest } from '../../core/credential-echo.ts';
import { urlHash } from '../../core/crypto/url-hash.ts';
import { CHECK_ERRORS, type CheckErrorCode } from '../../core/errors.ts';
import { commitProblemCheck } from '../../db/commit/checks.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import { countCheck, timePart } from '../../telemetry/checks.ts';
import type { ActivityDeps } from '../deps.ts';
import { openCredentials } from './open-credentials.ts';

/**
 * A test whether a text may contain the credentials that the origin of a body was shown. When they are not at hand, every
 * text may.
 * @param fetchedWith hash of the URL and the credentials' version that the body was fetched with
 */
export async function echoTestOf(
  deps: ActivityDeps,
  record: TrackedRecord,
  fetchedWith: string,
): Promise<(text: string) => boolean> {
  // The record never had credentials.
  if (record.authType === 'none' && record.authVersion === 0) return () => false;
  if (fetchedWith !== urlHash(record.url, record.authVersion)) return () => true;
  try {
    return echoTest(await openCredentials(deps, record));
  } catch {
    return () => true;
  }
}

/** Without the samples that may contain a credential. */
export const withoutEchoes = (
  warnings: readonly CheckWarning[],
  isEcho: (text: string) => boolean,
): CheckWarning[] =>
  warnings.map((warning) => ({ ...warning, samples: warning.samples.filter((sample) => !isEcho(sample)) }));

/** The detail, or only the general sentence when the detail may contain a credential. @param general default: the code's */
export async function safeDetail(
  deps: ActivityDeps,
  record: TrackedRecord,
  fetchedWith: string,
  { code, detail, general = CHECK_ERRORS[code] }: { code: CheckErrorCode; detail: string; general?: string },
): Promise<string> {
  if (detail === general) return general;
  const isEcho = await echoTestOf(deps, record, fetchedWith);
  return isEcho(detail) ? general : detail;
}

/**
 * A hash of all settings that decide whether a check fails: under others, a check may succeed.
 * @param fetchedWith as for echoTestOf
 */
export function settingsHash(record: TrackedRecord, fetchedWith: string): string {
  const { tier, dialectVersion, startsOverGeneration, headerRow, keyFields, ignoreFields, rules } = record;
  // Earlier versions know no other quoting, and their hashes must stay those of the same settings.
  const quoting = record.quoting === 'double' ? [] : [record.quoting];
  const reading = [
    tier,
    dialectVersion,
    startsOverGeneration,
    headerRow,
    keyFields,
    ignoreFields,
    rules,
    ...quoting,
  ];
  return hash('sha256', JSON.stringify([fetchedWith, ...reading]), 'base64url');
}

type Committing = Parameters<typeof commitProblemCheck>;

/**
 * Commits a check that failed or is held, without words that may contain a credential.
 * @param fetchedWith as for echoTestOf
 * @returns the detail that was committed, and the deliveries
 */
export async function commitProblem(
  deps: ActivityDeps,
  record: TrackedRecord,
  fetchedWith: string,
  [outcome, check, { general, ...problem }, held]: [
    Committing[1],
    Committing[2],
    Committing[3] & { general?: string },
    Committing[4]?,
  ],
): Promise<{ detail: string; deliver: Awaited<ReturnType<typeof commitProblemCheck>> }> {
  const detail = await safeDetail(deps, record, fetchedWith, { ...problem, ...(general && { general }) });
  const settings = settingsHash(record, fetchedWith);
  const deliver = await timePart('commit', () =>
    commitProblemCheck(deps.db, outcome, check, { ...problem, detail, settings }, held),
  );
  countCheck(outcome, problem.code);
  return { detail, deliver };
}
