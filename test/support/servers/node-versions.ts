// Other versions of Node for tests, from the npm package `node`, once on a machine.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../../cli/programs/cache.ts';

/** Liveness: with an empty cache it is downloaded. */
const INSTALL_MS = 300_000;

/** @param version a major version @returns the path of its program */
export async function installNode(version: string): Promise<string> {
  const folder = join(cacheFolder(), `node-${version}`);
  const program = 'node_modules/node/bin/node';
  if (existsSync(join(folder, program))) return join(folder, program);
  const making = `${folder}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  // Its script fetches the program for this machine.
  writeFileSync(join(making, 'package.json'), '{"private":true,"allowScripts":{"node":true}}');
  await promisify(execFile)('npm', ['install', `node@${version}`], { cwd: making, timeout: INSTALL_MS });
  // Another run may have finished first.
  if (existsSync(folder)) rmSync(making, { recursive: true });
  else renameSync(making, folder);
  return join(folder, program);
}
