// Makes a PostgreSQL data folder on first use.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeWhole } from '../process/write-whole.ts';
import { promisify } from 'node:util';
import type { ServerUser } from './unprivileged.ts';

export const POSTGRES_USER = 'recordwatch';
const MAJOR_VERSION = '18';
const UNFINISHED = '.new-';

const run = promisify(execFile);

/**
 * The server's password, made at first use and kept beside the data folder, readable by the owner alone.
 * @throws Error when there are data but the password is lost
 */
export function keptPassword(dataDir: string): string {
  const path = `${dataDir}.password`;
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  if (existsSync(dataDir)) throw new Error(`${path} is missing: without it nothing can log in to ${dataDir}`);
  const password = randomBytes(24).toString('base64url');
  writeWhole(path, `${password}\n`, { mode: 0o600, isNew: true });
  return password;
}

/**
 * Makes the data folder unless it is there. It appears under its name only when complete.
 * @throws Error when it is of another major version
 */
export async function initialise(
  dataDir: string,
  initdb: string,
  user: ServerUser,
  password: string,
): Promise<void> {
  if (existsSync(dataDir)) return checkVersion(dataDir);
  clearUnfinished(dataDir);
  // A name of our own: an initdb that outlived its killed runner removes, by name, what it could not finish.
  const unfinished = `${dataDir}${UNFINISHED}${process.pid}`;
  const passwordFile = join(unfinished, 'password');
  const target = join(unfinished, 'data');
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [unfinished, passwordFile]) user.own(path);
  chmodSync(unfinished, 0o700);
  const { command, args } = user.wrap(initdb, [
    `--pgdata=${target}`,
    `--username=${POSTGRES_USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The server brings this locale itself, so text sorts the same on every machine.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ]);
  await run(command, [...args]);
  renameSync(target, dataDir);
  rmSync(unfinished, { recursive: true, force: true });
}

/** Removes what killed runs left, also while a last initdb of theirs is still writing. */
function clearUnfinished(dataDir: string): void {
  const folder = dirname(dataDir);
  const names = readdirSync(folder).filter((name) => name.startsWith(`${basename(dataDir)}${UNFINISHED}`));
  for (const name of names)
    rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

function checkVersion(dataDir: string): void {
  const version = readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim();
  if (version === MAJOR_VERSION) return;
  throw new Error(
    `${dataDir} was written by PostgreSQL ${version} and this is ${MAJOR_VERSION}: export it with the old version, then remove the folder`,
  );
}
