// One record watched in this process, without a server: what is kept between two checks, and what a check does with a response.
import { rm } from 'node:fs/promises';
import { validatorsOf } from '../../activities/fetch/kept-headers.ts';
import type { RowReader } from '../../core/delta/read-rows.ts';
import { CHECK_ERRORS } from '../../core/errors.ts';
import type { DeltaLine } from '../../core/export/delta-lines.ts';
import {
  brokenOff,
  isFewRows,
  isSharpDrop,
  mayBeCut,
  mayHaveBrokenOff,
  type OpenEndedRun,
  rowsAfter,
  withOpenEnded,
} from '../../core/sharp-drop.ts';
import { absentFields } from '../compare/absent-fields.ts';
import type { BodyFile } from '../compare/body-file.ts';
import { type Comparison, compareVersions } from '../compare/compare-versions.ts';
import { type Known, ofBody, openAgain, openFirst, type Rule } from '../compare/version.ts';
import { fetchUrl } from '../input/fetch-url.ts';
import type { Scratch } from '../input/scratch.ts';

/** The version that the next one is compared with. */
interface Accepted {
  body: BodyFile;
  sha256: string | undefined;
  known: Known;
  etag: string | null;
  lastModified: string | null;
}

/** A version with far fewer rows, which a second one must confirm. */
interface Held {
  rows: number;
  sinceMs: number;
  /** Null if it ends in a line end, or as the accepted version does. */
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

  /** Begins with a version of the user's, which stays where it is. @throws BodyFault */
  async beginWith(body: BodyFile): Promise<void> {
    const { known } = await openFirst(body, this.#options.rule);
    this.#accepted = { body, sha256: undefined, known, etag: null, lastModified: null };
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
    this.#accept(fetched, known);
    return { outcome: 'begun', rows, keyFields: known.key.fields };
  }

  async #compare(accepted: Accepted, fetched: Received): Promise<CheckResult> {
    const { rule, mostRows } = this.#options;
    const { body, sha256 } = fetched;
    // The same bytes under the name of another charset may be other text.
    if (sha256 === accepted.sha256 && body.contentType === accepted.body.contentType) {
      await this.#replace(accepted, fetched, accepted.known);
      return { outcome: 'unchanged' };
    }
    const before = await openAgain(accepted.body, accepted.known, rule);
    const { lines, ...comparison } = await compareVersions(before, body, rule);
    const { totals, counts, known } = comparison;
    if (this.#isHeld(comparison, body)) {
      this.#held = {
        rows: totals.now,
        sinceMs: this.#held?.sinceMs ?? Date.now(),
        openEndedRun: this.#openEndedRun(comparison),
      };
      return {
        outcome: 'held',
        words: heldWords(comparison),
      };
    }
    const isChanged = counts.new + counts.changed + counts.deleted > 0;
    const change = { ...comparison, lines: isChanged ? await lines(mostRows) : [] };
    await this.#replace(accepted, fetched, known);
    return isChanged ? { outcome: 'changed', change } : { outcome: 'unchanged' };
  }

  /** Another check is always later than the first such one, so it confirms that one. */
  #isHeld(
    { totals, incompleteEnd, isLineEndLost }: Pick<Comparison, 'totals' | 'incompleteEnd' | 'isLineEndLost'>,
    { isCloseDelimited = false }: BodyFile,
  ): boolean {
    const held = this.#held;
    const heldBeforeMs = held === undefined ? null : Date.now() - held.sinceMs;
    const rows = {
      ...totals,
      held: held?.rows ?? null,
      rejected: null,
      heldBeforeMs,
      recheckMs: 0,
      isHeldOpenEnded: (held?.openEndedRun ?? null) !== null,
      openEndedBodies: this.#openEndedRun({ isLineEndLost })?.bodies ?? 0,
    };
    const isCut = isLineEndLost && mayBeCut(rows, isCloseDelimited);
    return isSharpDrop(rows) || mayHaveBrokenOff(rows, incompleteEnd) || isCut;
  }

  #openEndedRun({ isLineEndLost }: Pick<Comparison, 'isLineEndLost'>): OpenEndedRun | null {
    return isLineEndLost ? withOpenEnded(this.#held?.openEndedRun ?? null, Date.now(), RECHECK_MS) : null;
  }

  #accept({ body, sha256, headers }: Received, known: Known): void {
    this.#accepted = { body, sha256, known, ...validatorsOf(headers) };
    this.#held = undefined;
  }

  async #replace(accepted: Accepted, fetched: Received, known: Known): Promise<void> {
    this.#accept(fetched, known);
    // A version of the user's was not fetched.
    if (accepted.sha256 !== undefined) await rm(accepted.body.path, { force: true });
  }

  /** Removes a fetched body unless it was accepted. */
  async #forget(body: BodyFile): Promise<void> {
    if (this.#accepted?.body !== body) await rm(body.path, { force: true });
  }
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
