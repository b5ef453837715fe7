// Ends a PostgreSQL server that an earlier, killed run left on our data folder.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../process/end-process.ts';
import { processCommand } from '../process/process-identity.ts';

/**
 * Looks at the folder's postmaster.pid: a server that still runs there is shut down; a file whose process id
 * belongs to somebody else by now is removed, because PostgreSQL itself would refuse to start.
 * @returns whether a server was running
 */
export async function endLeftoverServer(dataDir: string): Promise<boolean> {
  const path = join(dataDir, 'postmaster.pid');
  const pid = readPid(path);
  if (pid === undefined) return false;
  const isOurs = processCommand(pid)?.includes(`-D ${dataDir} -c `) ?? false;
  if (isOurs) await endProcess(pid, { signal: 'SIGINT' });
  rmSync(path, { force: true });
  return isOurs;
}

function readPid(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
