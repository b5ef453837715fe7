// Installs Python packages for tests from PyPI, once on a machine.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../../cli/programs/cache.ts';

/** Liveness: with an empty cache every package is downloaded. */
export const INSTALL_MS = 300_000;

/** Installs the pinned packages of a requirements file unless this machine has them. @returns their folder, for PYTHONPATH */
export async function installPackages(requirements: string): Promise<string> {
  const pins = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(cacheFolder(), `python-${pins}`);
  if (existsSync(folder)) return folder;
  const making = `${folder}.${process.pid}`;
  const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', making];
  await promisify(execFile)('python3', [...args, '--requirement', requirements], { timeout: INSTALL_MS });
  // Another run may have finished first.
  if (existsSync(folder)) rmSync(making, { recursive: true });
  else renameSync(making, folder);
  return folder;
}
