// Values of options that several commands take.
import { InvalidArgumentError, Option } from 'commander';

/** For options that may be repeated. */
export const collect = (value: string, before: readonly string[]): string[] => [...before, value];

/** An option that may be repeated, each time with one of these values. */
export function repeatable(flags: string, description: string, choices: readonly string[]): Option {
  const read = (value: string, before: readonly string[]): string[] => {
    if (choices.includes(value)) return collect(value, before);
    throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
  };
  return new Option(flags, `${description}; may be repeated`)
    .choices(choices)
    .argParser(read)
    .default([], '');
}

/** What `--condition` takes. The service says what is wrong with it. */
export const CONDITION = 'only changes that meet this condition: JSON in the form that webhooks take';

/** How long a command waits for a check. The API waits at most twice as long. */
export const WAIT_SECONDS = 30;
