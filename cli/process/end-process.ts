// Ends a process: with a signal first, by force after a grace period. Not by execa, which ends its own children one by one: we
// end process groups, and processes that an earlier run left behind.
import { processStart } from './process-identity.ts';
import { waitFor } from './wait-for.ts';

export interface EndOptions {
  /** The first signal. */
  signal?: NodeJS.Signals;
  /** How long the process may take to end by itself. */
  graceMs?: number;
  /** Whether the signals go to the process group that it leads. */
  isGroup?: boolean;
}

/** Ends a process and waits until it is gone. Does nothing when it is gone already. */
export async function endProcess(pid: number, options: EndOptions = {}): Promise<void> {
  const { signal = 'SIGTERM', graceMs = 10_000, isGroup = false } = options;
  const start = processStart(pid);
  if (start === undefined) return;
  const isGone = () => (processStart(pid) === start ? undefined : true);
  const target = isGroup ? -pid : pid;
  send(target, signal);
  const hasEnded = await waitFor(isGone, { what: 'it ends', timeoutMs: graceMs }).catch(() => false);
  // The group may hold grandchildren that outlived their parent; they end with it.
  if (isGroup || !hasEnded) send(target, 'SIGKILL');
  if (!hasEnded) await waitFor(isGone, { what: `process ${pid} ends`, timeoutMs: 10_000 });
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
