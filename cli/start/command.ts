// The commands `start`, `dev` and `cluster`: turn signals into an orderly end.
import { resolve } from 'node:path';
import { parseConfig } from '../../core/config.ts';
import { type ProcessPlan, start, type StartMode } from './start.ts';

/** The reason of an end that was asked for. */
const ASKED = Symbol('asked to end');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const PARENT_INTERVAL_MS = 500;

/** @throws Error when the run ended for any other reason than being asked to */
export async function startCommand(mode: StartMode, plan?: ProcessPlan): Promise<void> {
  const abort = new AbortController();
  const end = () => {
    if (!abort.signal.aborted) console.log('\nEnding…');
    abort.abort(ASKED);
  };
  // Later signals change nothing: each step of the end has a time limit.
  for (const signal of SIGNALS) process.on(signal, end);
  // The run continues when its terminal is closed or the disk of its output is full.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  // An uncaught error ends the run in order, so that no process stays behind.
  const onFault = (error: unknown): void => abort.abort(error);
  process.on('uncaughtException', onFault);
  const watch = endWithParent(end);
  try {
    await start(process.env, abort, mode, plan);
  } catch (error) {
    if (error !== ASKED) throw error;
    const folder = resolve(parseConfig(process.env).home);
    console.log(`Ended. Everything is kept in ${folder}; the same command continues from there.`);
  } finally {
    clearInterval(watch);
    for (const signal of SIGNALS) process.off(signal, end);
    process.off('uncaughtException', onFault);
  }
}

/** A killed npm leaves its script running, which would hold the folder against the next `npm start`. */
function endWithParent(end: () => void): NodeJS.Timeout | undefined {
  if (!['start', 'dev', 'cluster'].includes(process.env['npm_lifecycle_event'] ?? '')) return undefined;
  const parent = process.ppid;
  return setInterval(() => process.ppid === parent || end(), PARENT_INTERVAL_MS);
}
