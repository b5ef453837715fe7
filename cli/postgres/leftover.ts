// Ends a PostgreSQL server that an earlier, killed run left on our data folder.
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../process/end-process.ts';
import { processCommand } from '../process/process-identity.ts';

/**
 * Shuts down a server that still runs on the folder, and ends the sessions of one that was killed: a busy session continues
 * without its server, and would write beside the next one. Removes `postmaster.pid` if another process now has its process id,
 * because PostgreSQL would refuse to start. Otherwise the file stays: PostgreSQL uses it to find remains of a killed server.
 * @returns whether a server was running
 */
export async function endLeftoverServer(dataDir: string): Promise<boolean> {
  const path = join(dataDir, 'postmaster.pid');
  const pid = readPid(path);
  if (pid === undefined) return false;
  const command = processCommand(pid);
  const isOurs = command?.includes(`-D ${dataDir} -c `) ?? false;
  if (isOurs) await endProcess(pid, { signal: 'SIGINT' });
  else if (command !== undefined) rmSync(path, { force: true });
  // Quits at once, as a server tells its sessions to in an immediate shutdown.
  for (const session of sessionsIn(dataDir)) await endProcess(session, { signal: 'SIGQUIT' });
  return isOurs;
}

/** Processes of a server work in its data folder. Only Linux says where a process works. */
function sessionsIn(dataDir: string): number[] {
  if (process.platform !== 'linux') return [];
  const folder = realpathSync(dataDir);
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids
    .map(Number)
    .filter((pid) => processCommand(pid)?.startsWith('postgres: ') && workIn(pid) === folder);
}

function workIn(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function readPid(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
