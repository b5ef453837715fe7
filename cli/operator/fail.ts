// The errors and exit codes of the operator's commands.
import { CommanderError } from 'commander';

/** Exit codes, as --help lists them: 0 done, 1 failed, 2 invalid arguments, 3 not found. */
export const EXIT = { failed: 1, misuse: 2, noSuchThing: 3 } as const;

export const noSuchThing = (what: string): Error =>
  new CommanderError(EXIT.noSuchThing, 'recordwatch.noSuchThing', `There is no ${what}.`);

export const misuse = (message: string): Error =>
  new CommanderError(EXIT.misuse, 'recordwatch.misuse', message);

/** The exit code that an error ends the process with; commander has shown its own errors already. */
export function exitOf(error: unknown, failed: number): { code: number; isShown: boolean } {
  if (!(error instanceof CommanderError)) return { code: failed, isShown: false };
  if (!error.code.startsWith('commander.')) return { code: error.exitCode, isShown: false };
  return { code: error.exitCode === 0 ? 0 : EXIT.misuse, isShown: true };
}
