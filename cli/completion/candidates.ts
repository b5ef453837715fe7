// What may follow on a command line that is being typed, from the tree of commands.
import type { Command, Option } from 'commander';

export interface Candidate {
  word: string;
  description: string;
}

/** What is being typed. */
interface Typing {
  command: Command;
  /** How many arguments the command already has. */
  argumentCount: number;
  /** The option whose value is being typed. */
  option: Option | undefined;
}

/** Values of arguments that only a service knows, by the name of the argument. */
export type FindValues = (argument: string) => Promise<Candidate[]>;

/**
 * Nothing when a file may follow, or anything: then the shell completes file names.
 * @param words after the program's name; the last one is being typed
 */
export async function candidatesFor(
  program: Command,
  words: readonly string[],
  findValues: FindValues,
): Promise<Candidate[]> {
  // bash takes `=` for a word of its own.
  const [typed = '', ...before] = withoutEquals(words).toReversed();
  const typing = follow(program, before.toReversed());
  const [, name, value] = /^(--[\w-]+)=(.*)$/.exec(typed) ?? [];
  if (name !== undefined && value !== undefined) {
    const option = findOption(typing.command, name);
    return within(value, choicesOf(option)).map((found) => ({ ...found, word: `${name}=${found.word}` }));
  }
  if (typing.option !== undefined) return within(typed, choicesOf(typing.option));
  if (typed.startsWith('-')) return within(typed, optionsOf(typing.command));
  return within(typed, await namesFor(typing, findValues));
}

function withoutEquals(words: readonly string[]): string[] {
  const kept = words.filter((word) => word !== '=');
  return words.at(-1) === '=' ? [...kept, ''] : kept;
}

const within = (start: string, candidates: readonly Candidate[]): Candidate[] =>
  candidates.filter(({ word }) => word.startsWith(start));

function follow(program: Command, words: readonly string[]): Typing {
  const typing: Typing = { command: program, argumentCount: 0, option: undefined };
  for (const word of words) {
    if (typing.option !== undefined) {
      typing.option = undefined;
    } else if (word.startsWith('-')) {
      const option = findOption(typing.command, word);
      if (option?.required === true) typing.option = option;
    } else {
      const next = typing.command.commands.find(
        (command) => command.name() === word || command.aliases().includes(word),
      );
      typing.argumentCount = next === undefined ? typing.argumentCount + 1 : 0;
      typing.command = next ?? typing.command;
    }
  }
  return typing;
}

/** A group without the name of a command means its default one, whose options may follow too. */
function readers(command: Command): Command[] {
  const usual = usualCommand(command);
  return usual === undefined ? [command] : [command, usual];
}

const USUAL = 'list';
const usualCommand = (command: Command): Command | undefined =>
  command.commands.find((each) => each.name() === USUAL);

const findOption = (command: Command, name: string): Option | undefined =>
  readers(command)
    .flatMap(({ options }) => options)
    .find((option) => option.long === name || option.short === name);

const choicesOf = (option: Option | undefined): Candidate[] =>
  (option?.argChoices ?? []).map((word) => ({ word, description: '' }));

function optionsOf(command: Command): Candidate[] {
  const visible = readers(command).flatMap(({ options }) => options.filter(({ hidden }) => !hidden));
  const found = visible.flatMap(({ long, description }) =>
    typeof long === 'string' ? [{ word: long, description }] : [],
  );
  return [...found, { word: '--help', description: 'explain this command' }];
}

async function namesFor({ command, argumentCount }: Typing, findValues: FindValues): Promise<Candidate[]> {
  const isFirst = argumentCount === 0;
  const names = isFirst ? command.createHelp().visibleCommands(command) : [];
  const argument =
    command.registeredArguments[argumentCount] ??
    command.registeredArguments.find(({ variadic }) => variadic);
  const choices = (argument?.argChoices ?? []).map((word) => ({ word, description: '' }));
  const values = argument === undefined ? [] : await findValues(argument.name());
  return [
    ...names.map((each) => ({ word: each.name(), description: each.description() })),
    ...choices,
    ...values,
  ];
}
