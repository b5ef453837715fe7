// A PostgreSQL of a cluster, which is started again when it dies.
import { type PostgresOptions, startPostgres } from '../postgres/start-postgres.ts';
import type { Run } from '../start/run.ts';
import { keepRunning } from './keep-running.ts';

/** Comes back when it answers. @returns its connection string, which stays the same */
export async function keepPostgres(
  run: Run,
  options: Omit<PostgresOptions, 'onStart' | 'signal'> & { port: number },
): Promise<string> {
  let url = '';
  await keepRunning(run, async (onStart) => {
    const postgres = await startPostgres({ ...options, onStart, signal: run.signal });
    ({ url } = postgres);
    return postgres;
  });
  return url;
}
