// The commands `rows` and `export`.
import { type Command, Option } from 'commander';
import { CSV_ESCAPES } from '../../../core/export/csv-cell.ts';
import { readCount } from '../../diff/command.ts';
import { withJson } from '../output/answers.ts';
import { collect } from '../output/option-values.ts';
import { RECORD } from '../records/command.ts';

const FILTER_HELP = `
--filter compares a column with a value: = != > >= < <= and ~ for “contains”. All filters must hold.

  recordwatch rows prices --filter 'price>=10' --filter 'name~tea'`;

const withSelection = (command: Command): Command =>
  command
    .argument('<record>', RECORD)
    .option('--snapshot <id>', 'a version by its id', 'latest')
    .option('--search <text>', 'only rows with this text in a value')
    .option('--filter <filter>', "only rows such as 'price>=10'; may be repeated", collect, [])
    .addHelpText('after', FILTER_HELP);

export function addRowsCommands(program: Command): void {
  withJson(withSelection(program.command('rows')))
    .description('print rows of a record, by key')
    .option('--limit <number>', 'at most this many rows; 0: all', readCount, 20)
    .action(async (record: string, options) => (await import('./rows.ts')).listRows(record, options));

  withSelection(program.command('export'))
    .description('download a version of a record as a file')
    .addOption(
      new Option('--event <id>', 'instead, the rows of a change: its id, or latest').conflicts([
        'snapshot',
        'search',
        'filter',
      ]),
    )
    .option('-o, --output <file>', 'the file; - for standard output (default: the service’s name for it)')
    .addOption(new Option('--format <format>', 'of the file').choices(['csv', 'jsonl']).default('csv'))
    .addOption(
      new Option('--csv-escape <how>', 'spreadsheet: no cell is read as a formula')
        .choices(CSV_ESCAPES)
        .default('none'),
    )
    .option('--force', 'replace a file')
    .option('--json', 'print name and size of the file as JSON')
    .action(async (record: string, options) => (await import('./export.ts')).exportRecord(record, options));
}
