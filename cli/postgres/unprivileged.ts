// PostgreSQL refuses to run as root. Under root its programs run as the system user `postgres`.
import { execFileSync } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface ServerUser {
  /** Gives a file or folder to the user. */
  own: (path: string) => void;
  /** The command line that runs a program as the user. */
  wrap: (command: string, args: readonly string[]) => { command: string; args: readonly string[] };
}

const AS_MYSELF: ServerUser = { own: () => undefined, wrap: (command, args) => ({ command, args }) };

/**
 * The user for the database server: ourselves, or `postgres` (made when missing) where we are root.
 * @param paths what the user must be able to reach: the programs and the data folder's parent
 */
export function serverUser(paths: readonly string[]): ServerUser {
  if (process.getuid?.() !== 0) return AS_MYSELF;
  const uid = userId('-u') ?? makeUser();
  const gid = userId('-g') ?? uid;
  const drop = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  // A checkout below a folder that only root may enter (/root, mktemp -d) is reachable with this one capability.
  const reach = paths.every(isReachable) ? [] : ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return {
    own: (path) => chownSync(path, uid, gid),
    wrap: (command, args) => ({ command: 'setpriv', args: [...drop, ...reach, command, ...args] }),
  };
}

function userId(flag: '-u' | '-g'): number | undefined {
  try {
    return Number(
      execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return undefined;
  }
}

function makeUser(): number {
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { stdio: 'pipe' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`PostgreSQL does not run as root, and its user cannot be made: ${reason}`, {
      cause: error,
    });
  }
  return userId('-u') ?? 0;
}

/** Whether any user may pass through every folder above a path. */
function isReachable(path: string): boolean {
  const parent = dirname(path);
  if (parent === path) return true;
  return (statSync(parent).mode & 0o001) !== 0 && isReachable(parent);
}
