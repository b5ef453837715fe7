// The command `tail`.
import { type Command, Option } from 'commander';
import { readCount } from '../../diff/command.ts';
import { COLOR_CHOICES } from '../../diff/paint.ts';
import { withJsonLines } from '../output/answers.ts';
import { collect, CONDITION, repeatable } from '../output/option-values.ts';
import { RECORD } from '../records/command.ts';
import { FEED_TYPES } from './feed-types.ts';

const HELP = `
It continues where it was after a broken connection or a restart of the service: no event is missed or repeated. Ctrl-C ends it,
and it says how to continue later. With --json each event has a cursor for --since.`;

export function addTailCommand(program: Command): void {
  withJsonLines(program.command('tail'))
    .description('print changes of all records, or of one, as they come')
    .argument('[record]', RECORD)
    .option('--since <cursor>', 'now, start for the oldest kept event, or a cursor', 'now')
    .addOption(repeatable('--type <type>', 'only these events', FEED_TYPES))
    .option('--label <name:value>', 'only records with this label; may be repeated', collect, [])
    .option('--condition <json>', CONDITION)
    .option('--max-rows <number>', 'print at most this many rows of a change; 0: none', readCount, 10)
    .addOption(new Option('--color <when>', 'colour text').choices(COLOR_CHOICES).default('auto'))
    .addHelpText('after', HELP)
    .action(async (record: string | undefined, options) => (await import('./tail.ts')).tail(record, options));
}
