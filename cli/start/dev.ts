// What `npm run dev` does beyond `npm start`: API and worker restart on save, the dashboard reloads on save, and debuggers
// can attach.
import { type FSWatcher, watch } from 'node:fs';
import { duration } from '../process/steps.ts';
import { awaitReady, startChild, type Child } from '../process/start-child.ts';
import { viteProgram } from './build-dashboard.ts';
import type { Run } from './run.ts';
import { pathInCheckout } from './run-script.ts';
import { startService, type ServiceOptions } from './start-service.ts';

/** The folders whose code each process runs. */
export const SOURCES = {
  api: ['api', 'core', 'db', 'outbound', 'telemetry', 'workflows'],
  worker: ['worker', 'activities', 'core', 'db', 'outbound', 'telemetry', 'workflows'],
} as const;

/** Where debuggers attach. */
export const INSPECT = { api: '127.0.0.1:9229', worker: '127.0.0.1:9230' } as const;

/** Editors write a file in several steps, and checkouts write many files. */
const QUIET_MS = 150;

export interface RestartOptions {
  /** Watched with all that is below them. */
  folders: readonly string[];
  name: string;
  /** Starts the process. The one before has ended. */
  start: () => Promise<Child>;
  print: (line: string) => void;
}

/**
 * Restarts a process whenever a source file changes, until it is disposed. A process that dies or does not start is
 * reported, and the next save starts it again.
 */
export function restartOnSave(first: Child, { folders, name, start, print }: RestartOptions): Disposable {
  let child: Child | undefined = first;
  let working = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isDisposed = false;
  const report = async (running: Child): Promise<void> => {
    const error = await running.ended;
    if (error === undefined || child !== running) return;
    child = undefined;
    print(`✗ ${error.message}\n  The next save starts it again.`);
  };
  const restart = async (): Promise<void> => {
    if (isDisposed) return;
    const startedAt = Date.now();
    const old = child;
    child = undefined;
    await old?.stop();
    try {
      child = await start();
      void report(child);
      print(`✓ ${name}: restarted (${duration(Date.now() - startedAt)})`);
    } catch (error) {
      if (isDisposed) return;
      print(`✗ ${error instanceof Error ? error.message : String(error)}\n  The next save starts it again.`);
    }
  };
  const onChange = (_event: string, file: string | null): void => {
    if (file?.endsWith('.ts') !== true) return;
    clearTimeout(timer);
    // One restart at a time; saves during a restart lead to one more.
    timer = setTimeout(() => {
      working = working.then(restart);
    }, QUIET_MS);
  };
  void report(first);
  const watchers: FSWatcher[] = folders.map((folder) => watch(folder, { recursive: true }, onChange));
  return {
    [Symbol.dispose]: () => {
      isDisposed = true;
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Starts one of our processes, and restarts it on save for as long as the run lasts. */
export async function startDevService(
  run: Run,
  options: Omit<ServiceOptions, 'signal' | 'onStart'>,
  key: keyof typeof SOURCES,
): Promise<Child> {
  const start = (): Promise<Child> =>
    startService({
      ...options,
      nodeArgs: [...options.nodeArgs, `--inspect=${INSPECT[key]}`],
      // Runs workflows where the debugger looks, and lets them pause.
      env: { ...options.env, TEMPORAL_DEBUG: '1' },
      signal: run.signal,
      onStart: (child) => run.adopt(child, { mayDie: true }),
    });
  const child = await start();
  const folders = SOURCES[key].map(pathInCheckout);
  run.stack.use(restartOnSave(child, { folders, name: options.name, start, print: console.log }));
  return child;
}

/** Serves the dashboard from its sources, and everything else from the API. */
export async function startDashboardServer(run: Run, port: number, apiUrl: string): Promise<Child> {
  const { command, args } = viteProgram();
  const child = await startChild({
    name: 'Dashboard',
    command,
    args: [
      ...args,
      pathInCheckout('dashboard'),
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--strictPort',
    ],
    env: { ...process.env, API_URL: apiUrl },
    logFile: run.home.logFile('dashboard'),
  });
  run.adopt(child);
  const url = `http://127.0.0.1:${port}/dashboard/`;
  const answers = (): Promise<boolean> =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  await awaitReady(child, answers, { what: `${url} answers`, timeoutMs: 60_000, signal: run.signal });
  return child;
}
