// Watches one URL from this machine, until it is stopped.
import { setTimeout as pause } from 'node:timers/promises';
import { FetchFailure } from '../../activities/fetch/fetch-failure.ts';
import { waitAfterCheckMs } from '../../core/next-check.ts';
import { BodyFault } from '../compare/version.ts';
import { endByFault, faultWords } from '../diff/end.ts';
import { noteAbsent } from '../diff/note-absent.ts';
import { type ColorChoice, createPaint } from '../diff/paint.ts';
import { type LocalReadingOptions, ruleOf } from '../diff/reading-options.ts';
import { writeOut } from '../diff/write-out.ts';
import { InputFault } from '../input/input-fault.ts';
import { isUrl, openInput } from '../input/open-input.ts';
import { createScratch } from '../input/scratch.ts';
import { shownUrl } from '../input/shown-url.ts';
import { type CheckResult, LocalRecord } from './local-record.ts';
import { type WatchedCheck, findingText, type WatchFormat } from './watch-lines.ts';

interface WatchOptions extends LocalReadingOptions {
  every: number;
  since?: string;
  maxRows: number;
  format: WatchFormat;
  color: ColorChoice;
}

/** Sets the exit code of the process. */
export async function watch(url: string, options: WatchOptions): Promise<void> {
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => abort.abort());
  const scratch = createScratch();
  try {
    if (!isUrl(url)) throw new InputFault('Name a URL that begins with http:// or https://.');
    const mostRows = options.maxRows === 0 ? Infinity : options.maxRows;
    const record = new LocalRecord({ url, rule: ruleOf(options), scratch, mostRows });
    if (options.since !== undefined) {
      await record.beginWith(await openInput(options.since, scratch, abort.signal));
    }
    await checkAgainAndAgain(record, url, options, abort.signal);
  } catch (error) {
    if (!abort.signal.aborted) return endByFault(error);
  } finally {
    scratch.remove();
  }
  if (options.format === 'text') await writeOut(['Ended.\n'], 'text');
}

/** @throws what made the first check fail, or the reason of the signal */
async function checkAgainAndAgain(
  record: LocalRecord,
  url: string,
  options: WatchOptions,
  signal: AbortSignal,
): Promise<void> {
  const paint = createPaint(options.color);
  const name = shownUrl(new URL(url));
  let failing: string | undefined;
  for (let check = 1; ; check++) {
    const { result, fault } = await tryCheck(record, signal);
    if (fault !== undefined && check === 1) throw fault;
    if (check === 1) noteAbsent(await record.absentFields(), 'no row');
    const words = fault === undefined ? undefined : `failed: ${faultWords(fault)}`;
    const findings = findingsOf({ check, at: new Date() }, { result, name, words, failing }, options);
    for (const finding of findings) {
      await writeOut([findingText(finding, options.format, paint)], 'text');
    }
    failing = words;
    const retryAfterMs = fault?.fault instanceof FetchFailure ? (fault.fault.retryAfterMs ?? null) : null;
    const freshForMs = result?.freshForMs ?? null;
    const next = { intervalSeconds: options.every, retryAfterMs, freshForMs, spread: Math.random() };
    await pause(waitAfterCheckMs(next), undefined, { signal });
  }
}

type Tried =
  | { result: Awaited<ReturnType<LocalRecord['check']>>; fault?: undefined }
  | { result?: undefined; fault: BodyFault };

async function tryCheck(record: LocalRecord, signal: AbortSignal): Promise<Tried> {
  try {
    return { result: await record.check(signal) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof BodyFault)) throw error;
    return { fault: error };
  }
}

interface Found {
  result: CheckResult | undefined;
  name: string;
  /** Why this check failed, and why the one before did. */
  words: string | undefined;
  failing: string | undefined;
}

/** Reports a failure that continues once. */
function findingsOf(
  when: Pick<WatchedCheck, 'check' | 'at'>,
  { result, name, words, failing }: Found,
  { key }: WatchOptions,
): WatchedCheck[] {
  if (words !== undefined) return words === failing ? [] : [{ ...when, outcome: 'failed', words }];
  const recovered: WatchedCheck[] =
    failing === undefined ? [] : [{ ...when, outcome: 'recovered', words: 'no longer fails' }];
  return [...recovered, ...foundBy(when, result, name, key !== undefined)];
}

function foundBy(
  when: Pick<WatchedCheck, 'check' | 'at'>,
  result: CheckResult | undefined,
  name: string,
  isKeyGiven: boolean,
): WatchedCheck[] {
  if (result?.outcome === 'begun') {
    const fields = result.keyFields.length === 0 ? 'the whole row' : result.keyFields.join(', ');
    return [{ ...when, outcome: 'begun', words: `${result.rows} rows of ${name}, key: ${fields}` }];
  }
  if (result?.outcome === 'held') return [{ ...when, outcome: 'held', words: `held: ${result.words}` }];
  if (result?.outcome !== 'changed') return [];
  const report = { ...result.change, names: { before: name, now: name }, isKeyGiven };
  return [{ ...when, outcome: 'changed', words: '', report }];
}
