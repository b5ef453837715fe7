// One run of `npm start`: its home folder, its processes, and their orderly end.
import type { Child } from '../process/start-child.ts';
import { awaitLock } from '../process/hold-lock.ts';
import { endLeftovers, openRunFile } from '../process/run-file.ts';
import { openHome, type Home } from './home.ts';

export interface Run {
  home: Home;
  /** Aborts when the run is to end, with the error as its reason when something went wrong. */
  signal: AbortSignal;
  /** Makes a process part of the run: it ends with the run, and its unexpected death ends the run unless it may die. */
  adopt: (child: Child, options?: { mayDie: boolean }) => void;
  /** Waits for all. The first failure aborts the others; this throws when they have ended. */
  all: (works: readonly Promise<unknown>[]) => Promise<void>;
  /** Disposes in reverse order. */
  stack: AsyncDisposableStack;
  /** Process ids by name. */
  pids: () => Record<string, number>;
  /** Calls back whenever a process is started, until the run is to end. */
  onStart: (listener: () => void) => void;
  /** Tells people what happened. */
  say: (words: string) => void;
}

export interface RunOptions {
  /** How long a run that is just ending may take. */
  patienceMs?: number;
  say?: Run['say'];
}

const LOCK_PATIENCE_MS = 5_000;

/**
 * Opens a run in a home folder and ends what a killed run left there.
 * @throws Error when another run is in progress in the same folder
 */
export async function openRun(
  homePath: string,
  abort: AbortController,
  { patienceMs = LOCK_PATIENCE_MS, say = (words) => console.log(words) }: RunOptions = {},
): Promise<Run> {
  const home = openHome(homePath);
  const stack = new AsyncDisposableStack();
  stack.use(await lockHome(home, patienceMs, say));
  const runFile = home.file('run.json');
  const ended = await endLeftovers(runFile);
  if (ended.length > 0) say(`Ended what an earlier run left behind: ${ended.join(', ')}`);
  const notes = openRunFile(runFile);
  stack.defer(notes.remove);
  const pids: Record<string, number> = { runner: process.pid };
  let onStart = (): void => undefined;
  const adopt: Run['adopt'] = (child, { mayDie } = { mayDie: false }) => {
    pids[child.name.toLowerCase()] = child.pid;
    // First, so that it ends with the run if a later line fails.
    stack.defer(child.stop);
    notes.add(child);
    if (!abort.signal.aborted) onStart();
    if (!mayDie) void child.ended.then((error) => error !== undefined && abort.abort(error));
  };
  const all: Run['all'] = async (works) => {
    await Promise.allSettled(works.map((work) => work.catch((error: unknown) => abort.abort(error))));
    abort.signal.throwIfAborted();
  };
  return {
    home,
    all,
    signal: abort.signal,
    adopt,
    stack,
    pids: () => ({ ...pids }),
    onStart: (listener) => (onStart = listener),
    say,
  };
}

async function lockHome(home: Home, timeoutMs: number, say: Run['say']): Promise<Disposable> {
  const onWait = () => say(`Another run holds ${home.folder}; waiting for its end…`);
  try {
    return await awaitLock(home.file('run.lock'), { onWait, timeoutMs });
  } catch (error) {
    throw new Error(`Recordwatch runs already in ${home.folder} (dev.json there says how to reach it).`, {
      cause: error,
    });
  }
}
