// Compares two versions on this machine, and prints how they differ.
import type { CsvEscape } from '../../core/export/csv-cell.ts';
import { absentFields } from '../compare/absent-fields.ts';
import { compareVersions } from '../compare/compare-versions.ts';
import { openFirst } from '../compare/version.ts';
import { misuse } from '../operator/fail.ts';
import { openInput } from '../input/open-input.ts';
import { createScratch } from '../input/scratch.ts';
import { csvLines } from './formats/csv.ts';
import { htmlLines } from './formats/html.ts';
import { jsonLines } from './formats/json.ts';
import { patchLines } from './formats/patch.ts';
import { textLines } from './formats/text.ts';
import { type ColorChoice, createPaint } from './paint.ts';
import { type LocalReadingOptions, ruleOf } from './reading-options.ts';
import { type DiffFormat, type DiffReport, differingRows, pairingWords, rowsLeftOut } from './report.ts';
import { endByFault, endOnSignals } from './end.ts';
import { noteAbsent } from './note-absent.ts';
import { writeOut } from './write-out.ts';

export interface DiffOptions extends LocalReadingOptions {
  old: string;
  now?: string | undefined;
  since?: string;
  format: DiffFormat;
  maxRows?: number;
  quiet?: true;
  color: ColorChoice;
  csvEscape: CsvEscape;
}

/** As those of diff(1). */
const EXIT = { same: 0, different: 1 } as const;

/** For people; and so that a comparison in which everything differs fits into memory. */
const [TEXT_ROWS, MOST_ROWS] = [100, 100_000];

/** Sets the exit code of the process. */
export async function diff(options: DiffOptions): Promise<void> {
  const [old, now] = versionsOf(options);
  const { signal } = new AbortController();
  const scratch = createScratch();
  const release = endOnSignals(scratch.remove);
  try {
    const rule = ruleOf(options);
    const before = await openInput(old, scratch, signal);
    const after = await openInput(now, scratch, signal);
    const first = await openFirst(before, rule);
    const { lines, ...comparison } = await compareVersions(first, after, rule);
    const { maxRows = options.format === 'text' ? TEXT_ROWS : MOST_ROWS } = options;
    const report: DiffReport = {
      ...comparison,
      names: { before: before.name, now: after.name },
      isKeyGiven: rule.keyFields !== undefined,
      lines: options.quiet ? [] : await lines(maxRows === 0 ? Infinity : maxRows),
    };
    if (!options.quiet) {
      await writeOut(printed(report, options), options.format);
      noteLeftOut(report, options);
      noteUnpaired(report, options);
      noteAbsent(
        await absentFields(rule.ignoreFields, [
          [before, first.known],
          [after, comparison.known],
        ]),
        'neither version',
      );
    }
    process.exitCode = differingRows(report) > 0 ? EXIT.different : EXIT.same;
  } catch (error) {
    endByFault(error);
  } finally {
    scratch.remove();
    release();
  }
}

/** @throws CommanderError the arguments do not name two versions */
function versionsOf({ old, now, since }: DiffOptions): [old: string, now: string] {
  if (since !== undefined && now !== undefined) throw misuse('Name one version with --since, not two.');
  const pair: [string, string | undefined] = since === undefined ? [old, now] : [since, old];
  const [first, second] = pair;
  if (second === undefined) throw misuse('Name two versions, or the first one with --since.');
  if (first === '-' && second === '-') throw misuse('Only one of the versions can be standard input.');
  return [first, second];
}

/** Text says it itself. Other formats may be read by programs, which must not take a part for all. */
function noteLeftOut(report: DiffReport, { format, maxRows }: DiffOptions): void {
  const left = rowsLeftOut(report);
  if (left === 0 || format === 'text' || maxRows !== undefined) return;
  console.error(
    `recordwatch: ${left} more rows differ. --max-rows 0 prints all of them, and keeps them in memory.`,
  );
}

/** Text says it itself. Programs that read other formats may take such rows for deleted and new ones. */
function noteUnpaired({ pairing }: DiffReport, { format }: DiffOptions): void {
  if (format === 'text' || pairing === undefined || pairing.obstacle === null) return;
  console.error(`recordwatch: ${pairingWords(pairing)}`);
}

function printed(report: DiffReport, { format, color, csvEscape }: DiffOptions): Iterable<string> {
  const ways: Record<DiffFormat, () => Iterable<string>> = {
    text: () => textLines(report, createPaint(color)),
    json: () => jsonLines(report),
    csv: () => csvLines(report, csvEscape),
    patch: () => patchLines(report, createPaint(color)),
    html: () => htmlLines(report),
  };
  return ways[format]();
}
