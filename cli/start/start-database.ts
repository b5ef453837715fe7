// The database of a run: the one that DATABASE_URL names, or a PostgreSQL of our own; migrated either way.
import { startPostgres } from '../postgres/start-postgres.ts';
import type { Run } from './run.ts';
import { runScript } from './run-script.ts';
import type { Report } from '../process/steps.ts';

/** Where a PostgreSQL of our own is. */
interface OwnPostgres {
  dataDir: string;
  port: number;
  logFile: string;
  report: Report;
}

/**
 * @param given DATABASE_URL; empty: none
 * @param startOwn comes back with the connection string when it answers; by default its death ends the run
 * @returns the connection string
 */
export async function startDatabase(
  run: Run,
  { given, port }: { given: string; port: number },
  report: Report,
  startOwn: (own: OwnPostgres) => Promise<string> = async (own) =>
    (await startPostgres({ ...own, onStart: run.adopt, signal: run.signal })).url,
): Promise<string> {
  const { home } = run;
  const own = { dataDir: home.file('postgres'), port, logFile: home.logFile('postgres'), report };
  const url = given === '' ? await startOwn(own) : given;
  report('applying migrations');
  await runScript('cli/main.ts', ['migrate'], {
    env: { ...process.env, DATABASE_URL: url },
    signal: run.signal,
  });
  return url;
}
