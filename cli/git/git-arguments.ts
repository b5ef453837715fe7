// Which arguments git has added to the command in its setting. A path may look like an option.
import { existsSync } from 'node:fs';

/** git sets it for a diff driver only. */
export const isDriverOfGit = (): boolean => process.env['GIT_DIFF_PATH_COUNTER'] !== undefined;

const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64}|\.)$/;
const MODE = /^(?:[0-7]{6}|\.)$/;

/** Marks where git's own arguments begin, so that none of them is read as an option. */
export function markGitArguments(args: readonly string[]): readonly string[] {
  if (args[0] !== 'git-diff') return args;
  if (args.includes('--textconv')) {
    const path = args.at(-1) ?? '';
    return path.startsWith('-') && existsSync(path) ? [...args.slice(0, -1), '--', path] : args;
  }
  if (!isDriverOfGit()) return args;
  const start = args.length - countGitArguments(args);
  return [...args.slice(0, start), '--', ...args.slice(start)];
}

/** Two more than usual where a file was renamed, and of an unmerged file its path alone. */
const countGitArguments = (args: readonly string[]): number =>
  [9, 7].find((count) => areVersions(args.slice(1).slice(-count), count)) ?? 1;

function areVersions(args: readonly string[], count: number): boolean {
  const [, , oldHash = '', oldMode = '', , hash = '', mode = ''] = args;
  return (
    args.length === count &&
    [oldHash, hash].every((text) => HASH.test(text)) &&
    [oldMode, mode].every((text) => MODE.test(text))
  );
}
