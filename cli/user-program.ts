// The commands for users. They are also packed without the rest of the product (tools/client-package).
import { Command } from 'commander';
import { safeLines } from '../core/text/safe-text.ts';
import { addCompletionCommands } from './completion/command.ts';
import { addDiffCommand } from './diff/command.ts';
import { addGitDiffCommand } from './git/command.ts';
import { markGitArguments } from './git/git-arguments.ts';
import { EXIT, exitOf } from './operator/fail.ts';
import { endWithOutput } from './process/end-with-output.ts';
import { programVersion } from './program-version.ts';
import { addServiceCommands } from './service/command.ts';
import { addWatchCommand } from './watch/command.ts';

export function createUserProgram(): Command {
  const program = new Command('recordwatch')
    .description('Watches records and says exactly which rows changed.')
    .version(programVersion())
    .exitOverride();
  program.commandsGroup('Without a service:');
  addDiffCommand(program.command('diff'));
  addWatchCommand(program.command('watch'));
  addGitDiffCommand(program.command('git-diff'));
  program.commandsGroup('With a service:');
  addServiceCommands(program);
  program.commandsGroup('Others:');
  addCompletionCommands(program);
  return program;
}

/** Commands whose 1 means that they found something, as diff(1) does. */
const FINDING = /^(?:diff|watch|git-diff|(?:operator )?(?:doctor|backup check))\b/;
const FINDING_FAILED = 2;

/**
 * Runs one command.
 * @returns the exit code; `diff` and `doctor` have their own, which they leave on the process
 */
export async function runCommand(program: Command, args: readonly string[]): Promise<number> {
  const failed = FINDING.test(args.slice(0, 3).join(' ')) ? FINDING_FAILED : EXIT.failed;
  endWithOutput(failed);
  try {
    await program.parseAsync(markGitArguments(args), { from: 'user' });
    const code = Number(process.exitCode ?? 0);
    process.exitCode = undefined;
    return code;
  } catch (error) {
    const told = (await import('./service/tell-error.ts')).tellError(error, args);
    if (told !== undefined) return told;
    const { code, isShown } = exitOf(error, failed);
    const words = error instanceof Error ? error.message || error.name : String(error);
    if (!isShown) console.error(safeLines(`recordwatch: ${words}`));
    return code;
  }
}
