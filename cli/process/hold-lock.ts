// Locks between processes. The operating system releases a lock when its holder dies.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { waitFor } from './wait-for.ts';

export interface HeldLock extends Disposable {
  path: string;
}

const SQLITE_BUSY = 5;

/** A connection that nothing refers to is closed by the garbage collector, and its lock is lost. */
const held = new Set<DatabaseSync>();

/**
 * Takes the lock on a file, which is made when it does not exist, or answers undefined when another has it.
 * Uses an exclusive SQLite transaction, which is a portable file lock. It cannot outlive its holder, so a killed
 * runner blocks nobody. Lock packages (proper-lockfile) detect stale locks by the clock and can be wrong.
 */
export function holdLock(path: string): HeldLock | undefined {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  held.add(database);
  const release = () => {
    if (held.delete(database)) database.close();
  };
  return { path, [Symbol.dispose]: release };
}

export interface AwaitLockOptions {
  /** Called once, when another holds the lock. */
  onWait: () => void;
  /** Default: as long as it takes. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

/** Waits for the lock. @throws Error when the time is up */
export async function awaitLock(path: string, options: AwaitLockOptions): Promise<HeldLock> {
  const { onWait, timeoutMs = Number.POSITIVE_INFINITY, signal } = options;
  const lock = holdLock(path);
  if (lock !== undefined) return lock;
  onWait();
  return await waitFor(() => holdLock(path), { what: `${path} is free`, timeoutMs, intervalMs: 200, signal });
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
