// Identifies processes over time: the system may give a process id to another process later.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** When a process started, as text to compare with itself later; undefined when there is no such process. */
export function processStart(pid: number): string | undefined {
  try {
    return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
  } catch {
    return undefined;
  }
}

/** The command line of a process, or undefined when there is no such process. */
export function processCommand(pid: number): string | undefined {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      : ps(pid, 'command');
  } catch {
    return undefined;
  }
}

/** The id of the user that a process runs as, or undefined when there is no such process. */
export function processUser(pid: number): number | undefined {
  try {
    // Of four ids the second is the effective one. The owner of /proc/<pid> may be root although the process is not.
    const id =
      process.platform === 'linux'
        ? /^Uid:\s+\d+\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        : ps(pid, 'uid');
    return id === undefined ? undefined : Number(id);
  } catch {
    return undefined;
  }
}

function startFromProc(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in parentheses, and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTicks] = [fields[0], fields[19]];
  if (state === 'Z' || startTicks === undefined) return undefined;
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${startTicks}`;
}

function startFromPs(pid: number): string | undefined {
  return ps(pid, 'stat').startsWith('Z') ? undefined : ps(pid, 'lstart') || undefined;
}

function ps(pid: number, column: string): string {
  const env = { ...process.env, LC_ALL: 'C' };
  return execFileSync('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8', env }).trim();
}
