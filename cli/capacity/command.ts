// The command `capacity`.
import { type Command, InvalidArgumentError } from 'commander';
import { columns, print, type Printing, withJson } from '../operator/print.ts';
import { capacityOf, capacityRows, costRows, type Load } from './model.ts';

export function addCapacityCommand(command: Command): void {
  withJson(command)
    .requiredOption('--records <number>', 'how many records', readAmount)
    .requiredOption('--interval <minutes>', 'minutes between two checks of a record', readAmount)
    .option('--change-rate <percent>', 'checks that find a change', readPercent, 1)
    .action((options: Load & Printing) => {
      const { records, interval, changeRate } = options;
      const capacity = capacityOf({ records, interval, changeRate });
      print(options, capacity, () =>
        [
          columns(
            [`${records} records`, `every ${interval} min, ${changeRate} % change`],
            capacityRows([capacity]),
            '',
          ),
          columns(['One check', 'Unchanged', 'Changed'], costRows(), ''),
          capacity.growFirst?.advice ?? 'One process of each part is enough, and a second worker for safety.',
          'Measured on one machine: plan with half as many cores again. docs/scale.md says how.',
        ].join('\n\n'),
      );
    });
}

function readAmount(text: string): number {
  const amount = Number(text);
  if (amount > 0 && amount <= 1e9) return amount;
  throw new InvalidArgumentError('It must be a number above 0.');
}

function readPercent(text: string): number {
  const percent = Number(text);
  if (text.trim() !== '' && percent >= 0 && percent <= 100) return percent;
  throw new InvalidArgumentError('It must be a number from 0 to 100.');
}
