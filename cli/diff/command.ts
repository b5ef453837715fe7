// The command `diff`.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CSV_ESCAPES } from '../../core/export/csv-cell.ts';
import { COLOR_CHOICES } from './paint.ts';
import { withLocalReadingOptions } from './reading-options.ts';
import { DIFF_FORMATS } from './report.ts';

const HELP = `
Either version is a file, a URL, or - for standard input. Files may be compressed (gzip, zstd, brotli, zlib).

  recordwatch diff old.csv new.csv
  recordwatch diff https://example.com/prices.csv --since prices.csv --format json

Exit codes: 0 the same rows, 1 rows differ, 2 an error.`;

export function addDiffCommand(diff: Command): void {
  withLocalReadingOptions(diff)
    .description('compare two versions of a table, row by row, on this machine')
    .argument('<old>', 'the first version; with --since, the second one')
    .argument('[new]', 'the second version')
    .option('--since <file>', 'the first version, when only the second one is named')
    .addOption(new Option('--format <format>', 'how to print').choices(DIFF_FORMATS).default('text'))
    .addOption(new Option('--json', 'the same as --format json').conflicts('format'))
    .option(
      '--max-rows <number>',
      'print at most this many rows; 0: all (default: 100 as text, otherwise 100000)',
      readCount,
    )
    .option('-q, --quiet', 'print nothing; see the exit code')
    .addOption(new Option('--color <when>', 'colour text and patch').choices(COLOR_CHOICES).default('auto'))
    .addOption(
      new Option('--csv-escape <how>', 'with --format csv; spreadsheet: no cell is read as a formula')
        .choices(CSV_ESCAPES)
        .default('none'),
    )
    .addHelpText('after', HELP)
    .action(async (old: string, now: string | undefined, { json, ...options }) =>
      (await import('./diff.ts')).diff({ ...options, ...(json && { format: 'json' }), old, now }),
    );
}

export function readCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError('It must be a number from 0.');
}
