// The commands `record …`.
import { Argument, type Command, Option } from 'commander';
import { withJson } from '../operator/print.ts';
import { idReader, readLimit } from '../operator/read-arguments.ts';
import { PAID_AND_FREE } from './tiers.ts';

const readAccountId = idReader('account', 'acc_0199c1e2f3a47c5d9e8f7a6b5c4d3e2f');

export function addRecordCommands(record: Command): void {
  withJson(record.command('tier'))
    .description('put a record on a tier; its workflow plans the next check again')
    .argument('<record>', 'its id, or its slug with --account')
    .addArgument(new Argument('<tier>', 'the tier').choices(PAID_AND_FREE))
    .option('--account <account>', 'id of the account that the slug is of', readAccountId)
    .action(async (record_, tier, options) => (await import('./tier.ts')).tier(record_, tier, options));

  withJson(record.command('list'))
    .description('list the records of all accounts that fail, are held or are overdue, the longest first')
    .addOption(new Option('--failing', 'checks fail').conflicts(['held', 'overdue']))
    .addOption(new Option('--held', 'a held check waits for a decision').conflicts(['failing', 'overdue']))
    .addOption(new Option('--overdue', 'the next check is overdue').conflicts(['failing', 'held']))
    .option('--limit <number>', 'how many', readLimit, 50)
    .action(async (options) => (await import('./list.ts')).list(options));

  withJson(record.command('show'))
    .description('show one record')
    .argument('<record>', 'its id, or its slug with --account')
    .option('--account <account>', 'id of the account that the slug is of', readAccountId)
    .action(async (record_, options) => (await import('./show.ts')).show(record_, options));
}
