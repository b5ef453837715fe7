// The command `watch`.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readCount } from '../diff/command.ts';
import { COLOR_CHOICES } from '../diff/paint.ts';
import { withLocalReadingOptions } from '../diff/reading-options.ts';
import { WATCH_FORMATS } from './watch-lines.ts';

const HELP = `
Asks with If-None-Match and If-Modified-Since, so an unchanged body is not sent again. Ctrl-C ends it.

Exit codes: 0 ended by you, 2 the first check failed.`;

export function addWatchCommand(watch: Command): void {
  withLocalReadingOptions(watch)
    .description('check a URL again and again from this machine, and print the rows that change')
    .argument('<url>', 'the table')
    .addOption(
      new Option('--every <time>', 'the time between two checks, such as 30s, 5m or 1h')
        .argParser(readTimer)
        .default(300, '5m'),
    )
    .option('--since <file>', 'begin with this version, instead of what the first check finds')
    .option('--max-rows <number>', 'print at most this many rows of a change; 0: all', readCount, 10)
    .addOption(
      new Option('--format <format>', 'json: a line for each change').choices(WATCH_FORMATS).default('text'),
    )
    .addOption(new Option('--json', 'the same as --format json').conflicts('format'))
    .addOption(new Option('--color <when>', 'colour text').choices(COLOR_CHOICES).default('auto'))
    .addHelpText('after', HELP)
    .action(async (url: string, { json, ...options }) =>
      (await import('./watch.ts')).watch(url, { ...options, ...(json && { format: 'json' }) }),
    );
}

const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, min: 60, h: 3_600, d: 86_400 };

export function readSeconds(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,6})\s*([a-z]*)$/.exec(text) ?? [];
  const seconds = Number(digits) * (UNITS[unit] ?? Number.NaN);
  if (seconds >= 1) return seconds;
  throw new InvalidArgumentError('It must be a time such as 30s, 5m or 1h, and at least 1 second.');
}

/** The longest time that a timer of Node waits. */
const MOST_SECONDS = 24 * 86_400;

function readTimer(text: string): number {
  const seconds = readSeconds(text);
  if (seconds <= MOST_SECONDS) return seconds;
  throw new InvalidArgumentError('It must be 24 days at most.');
}
