// One record watched in this process, without a server: what is kept between two checks, and what a check does with a response.
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validatorsOf } from '../../activities/fetch/kept-headers.ts';
import type { RowReader } from '../../core/delta/read-rows.ts';
import { CHECK_ERRORS } from '../../core/errors.ts';
import type { DeltaLine } from '../../core/export/delta-lines.ts';
import {
  brokenOff,
  hasLostLineEnd,
  isFewRows,
  isSharpDrop,
  mayBeCut,
  mayHaveBrokenOff,
  type OpenEndedRun,
  rowsAfter,
  withOpenEnded,
} from '../../core/sharp-drop.ts';
import { absentFields } from '../compare/absent-fields.ts';
import { type BodyFile, bodyOpener } from '../compare/body-file.ts';
import { type Comparison, compareVersions, hasDifferences } from '../compare/compare-versions.ts';
import { type Known, ofBody, openAgain, openFirst, type Rule } from '../compare/version.ts';
import { fetchUrl } from '../input/fetch-url.ts';
import type { Scratch } from '../input/scratch.ts';

/** The version that the next one is compared with. */
interface Accepted {
  body: BodyFile;
  sha256: string | undefined;
  known: Known;
  /** Of the versions in a row without a line end, if it is not certain that the table has lost its own. */
  openEndedRun: OpenEndedRun | null;
  etag: string | null;
  lastModified: string | null;
}

/** A version with far fewer rows, which a second one must confirm. */
interface Held {
  rows: number;
  /** Null unless it has lost the line end of the table. */
  openEndedRun: OpenEndedRun | null;
}

/** As HELD_RECHECK_SECONDS of the service by default. */
const RECHECK_MS = 600_000;

interface Change extends Omit<Comparison, 'lines'> {
  lines: readonly DeltaLine[];
}

export type CheckResult =
  | { outcome: 'begun'; rows: number; keyFields: readonly string[] }
  | { outcome: 'unchanged' }
  | { outcome: 'held'; words: string }
  | { outcome: 'changed'; change: Change };

type Received = Extract<Awaited<ReturnType<typeof fetchUrl>>, { status: 'ok' }>;

export interface RecordOptions {
  url: string;
  rule: Rule;
  scratch: Scratch;
  /** How many rows of a change are read. */
  mostRows: number;
}

export class LocalRecord {
  readonly #options: RecordOptions;
  #accepted: Accepted | undefined;
  #held: Held | undefined;

  constructor(options: RecordOptions) {
    this.#options = options;
  }

  /** Begins with a version of the user's, which may change from then on. @throws BodyFault */
  async beginWith(given: BodyFile): Promise<void> {
    const body = await copied(given, this.#options.scratch);
    const { known } = await openFirst(body, this.#options.rule);
    this.#accepted = { body, sha256: undefined, known, openEndedRun: null, etag: null, lastModified: null };
  }

  /** The fields to ignore that the accepted version does not have. */
  async absentFields(): Promise<string[]> {
    const accepted = this.#accepted;
    return accepted ? absentFields(this.#options.rule.ignoreFields, [[accepted.body, accepted.known]]) : [];
  }

  /** @throws BodyFault the check failed; the accepted version stays */
  async check(signal: AbortSignal): Promise<CheckResult & { freshForMs: number | null }> {
    const { url, scratch } = this.#options;
    const accepted = this.#accepted;
    const fetched = await fetchUrl(url, { scratch, signal, conditions: conditionsOf(accepted) });
    const freshForMs = fetched.headers.freshForMs ?? null;
    if (fetched.status === 'not_modified') {
      if (accepted !== undefined) accepted.openEndedRun = this.#runAfterHold(accepted);
      this.#held = undefined;
      return { outcome: 'unchanged', freshForMs };
    }
    try {
      const result =
        accepted === undefined ? await this.#begin(fetched) : await this.#compare(accepted, fetched);
      return { ...result, freshForMs };
    } finally {
      await this.#forget(fetched.body);
    }
  }

  async #begin(fetched: Received): Promise<CheckResult> {
    const { known, reader } = await openFirst(fetched.body, this.#options.rule);
    const rows = await ofBody(fetched.body, countRows(reader));
    this.#accept(fetched, { known, openEndedRun: null });
    return { outcome: 'begun', rows, keyFields: known.key.fields };
  }

  async #compare(accepted: Accepted, fetched: Received): Promise<CheckResult> {
    const { rule, mostRows } = this.#options;
    const { body, sha256 } = fetched;
    // The same bytes under the name of another charset may be other text.
    if (sha256 === accepted.sha256 && body.contentType === accepted.body.contentType) {
      await this.#replace(accepted, fetched, { ...accepted, openEndedRun: this.#runAfterHold(accepted) });
      return { outcome: 'unchanged' };
    }
    const hadLineEnd = accepted.openEndedRun !== null;
    const before = { ...(await openAgain(accepted.body, accepted.known, rule)), hadLineEnd };
    const { lines, ...comparison } = await compareVersions(before, body, rule);
    const { totals, counts, known } = comparison;
    const { isHeld, run, recordedRun } = this.#judge(comparison, accepted, body);
    if (isHeld) {
      this.#held = { rows: totals.now, openEndedRun: run };
      return { outcome: 'held', words: heldWords(comparison) };
    }
    const isChanged = hasDifferences(counts);
    const change = { ...comparison, lines: isChanged ? await lines(mostRows) : [] };
    await this.#replace(accepted, fetched, { known, openEndedRun: recordedRun });
    return isChanged ? { outcome: 'changed', change } : { outcome: 'unchanged' };
  }

  /** A held version with its line end ends a run. The accepted one still lacks the line end of the table. */
  #runAfterHold({ openEndedRun: run }: Accepted): OpenEndedRun | null {
    return run !== null && this.#held?.openEndedRun === null ? { ...run, bodies: 0 } : run;
  }

  /** Another check is always later than the first such one, so it confirms that one. */
  #judge(
    { totals, counts, incompleteEnd, isSurelyCut, isLineEndLost }: Omit<Comparison, 'lines'>,
    accepted: Accepted,
    { isCloseDelimited = false }: BodyFile,
  ) {
    const held = this.#held;
    const before = held === undefined ? accepted.openEndedRun : held.openEndedRun;
    const mayBeCutNow = isLineEndLost && totals.before > 0;
    const run = mayBeCutNow ? withOpenEnded(before, Date.now(), RECHECK_MS, isSurelyCut) : null;
    const rows = {
      ...totals,
      hasDeletedRows: counts.deleted > 0,
      held: held?.rows ?? null,
      rejected: null,
      heldBeforeMs: held === undefined ? null : 0,
      recheckMs: 0,
      isHeldOpenEnded: (held?.openEndedRun ?? null) !== null,
      openEndedBodies: isSurelyCut ? 0 : (run?.bodies ?? 0),
    };
    const isChanged = hasDifferences(counts);
    const isCut = run !== null && isChanged && mayBeCut(rows, isCloseDelimited);
    return {
      isHeld: isSharpDrop(rows) || mayHaveBrokenOff(rows, incompleteEnd) || isCut,
      run,
      // The same rows without the line end may be cut in an ignored column, so they confirm no other version.
      recordedRun: hasLostLineEnd(isChanged ? rows : { ...rows, held: null }) ? null : run,
    };
  }

  #accept({ body, sha256, headers }: Received, read: Pick<Accepted, 'known' | 'openEndedRun'>): void {
    const { known, openEndedRun } = read;
    this.#accepted = { body, sha256, known, openEndedRun, ...validatorsOf(headers) };
    this.#held = undefined;
  }

  async #replace(
    accepted: Accepted,
    fetched: Received,
    read: Pick<Accepted, 'known' | 'openEndedRun'>,
  ): Promise<void> {
    this.#accept(fetched, read);
    // A version of the user's was not fetched.
    if (accepted.sha256 !== undefined) await rm(accepted.body.path, { force: true });
  }

  /** Removes a fetched body unless it was accepted. */
  async #forget(body: BodyFile): Promise<void> {
    if (this.#accepted?.body !== body) await rm(body.path, { force: true });
  }
}

/** A copy of a file of the user's. */
async function copied(body: BodyFile, scratch: Scratch): Promise<BodyFile> {
  const { held, ...rest } = body;
  if (held === undefined) return body;
  const path = join(scratch.folder(), randomUUID());
  await writeFile(path, bodyOpener(body)());
  return { ...rest, path };
}

function conditionsOf(accepted: Accepted | undefined): Record<string, string> {
  const { etag = null, lastModified = null } = accepted ?? {};
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

function heldWords({ totals: rows, incompleteEnd }: Pick<Comparison, 'totals' | 'incompleteEnd'>): string {
  if (isFewRows(rows)) return `${CHECK_ERRORS.sharp_drop} ${rows.now} rows after ${rows.before}.`;
  return `${brokenOff(rows, incompleteEnd)}: ${rowsAfter(rows, incompleteEnd)}. Waiting for a second check to confirm.`;
}

async function countRows(reader: RowReader): Promise<number> {
  for await (const _rows of reader.batches()) {
    // The summary has their number.
  }
  return reader.summary().rowCount;
}
