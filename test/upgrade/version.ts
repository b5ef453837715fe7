// An earlier version of the product: a commit in a folder of its own, with its own libraries.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runStep } from '../../cli/process/run-step.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Not below node_modules: Node strips no types there. */
const VERSIONS = join(ROOT, '.recordwatch', 'versions');

export interface Version {
  /** What a person calls it: `v0.1.0`, `3417c3a`. */
  name: string;
  folder: string;
  /** The Node that it was installed with. */
  node: string;
}

export const PRESENT: Version = { name: 'this version', folder: ROOT, node: process.execPath };

/**
 * Unpacks and installs a commit once, which takes minutes the first time.
 * @param ref anything that names a commit of this repository
 * @throws Error that says what to do when Git does not have it
 */
export async function obtainVersion(ref: string): Promise<Version> {
  const commit = resolveCommit(ref);
  const folder = join(VERSIONS, commit);
  if (!existsSync(join(folder, 'node_modules'))) await install(commit, folder);
  return { name: ref, folder, node: join(folder, 'node_modules', '.bin', 'node') };
}

/** A shallow clone has only the latest commits. */
export function hasCommit(ref: string): boolean {
  try {
    return resolveCommit(ref) !== '';
  } catch {
    return false;
  }
}

/**
 * The code of a commit with the libraries of the working tree, which takes a second. They must do for it: a commit from before a
 * new major version of a library may need its own (`obtainVersion`).
 * @param folder a new one
 */
export async function unpackVersion(ref: string, folder: string): Promise<Version> {
  await unpack(resolveCommit(ref), folder);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return { name: ref, folder, node: process.execPath };
}

function resolveCommit(ref: string): string {
  try {
    return execFileSync('git', ['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  } catch (cause) {
    throw new Error(`Git has no commit ${ref} here. In a shallow clone, run git fetch --unshallow first.`, {
      cause,
    });
  }
}

/** The file of a commit as Git has it. */
export const fileAt = (ref: string, path: string): string =>
  execFileSync('git', ['show', `${resolveCommit(ref)}:${path}`], { cwd: ROOT, encoding: 'utf8' });

async function install(commit: string, folder: string): Promise<void> {
  console.log(`Installing ${commit} in ${folder}; this takes minutes.`);
  const making = `${folder}.making`;
  rmSync(making, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
  await unpack(commit, making);
  await runStep('npm', ['ci'], { cwd: making });
  renameSync(making, folder);
}

async function unpack(commit: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'commit.tar');
  await runStep('git', ['archive', '--output', archive, commit], { cwd: ROOT });
  await runStep('tar', ['--extract', '--file', archive, '--directory', folder], {});
  rmSync(archive);
}
