// The command `git-diff`, which git runs.
import type { Command } from 'commander';
import { readCount } from '../diff/command.ts';
import { withLocalReadingOptions } from '../diff/reading-options.ts';

const HELP = `
Tell git once to compare CSV files row by row:

  git config --global diff.csv.command "recordwatch git-diff"
  git config --global diff.csv.textconv "recordwatch git-diff --textconv"
  echo '*.csv diff=csv' >> .gitattributes

git diff then uses the command. git show, git log -p and git blame use the text.
Options go into the setting: "recordwatch git-diff --key id --ignore updated_at".`;

export function addGitDiffCommand(command: Command): void {
  withLocalReadingOptions(command)
    .description('compare two versions of a table for git, as its diff driver')
    .argument(
      '<arguments...>',
      'as git gives them: path, old file, its hash and mode, new file, its hash and mode',
    )
    .option('--textconv', 'print one file as text, ordered by key, so that git can compare it by line')
    .option('--max-rows <number>', 'print at most this many rows of a file; 0: all', readCount, 100)
    .addHelpText('after', HELP)
    .action(async (given: string[], options) =>
      options.textconv
        ? (await import('./textconv.ts')).textconv(given, options)
        : (await import('./git-diff.ts')).gitDiff(given, options),
    );
}
