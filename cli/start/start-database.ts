// The database of a run: the one that DATABASE_URL names, or a PostgreSQL of our own; migrated either way.
import { startPostgres } from '../postgres/start-postgres.ts';
import type { Run } from './run.ts';
import { runScript } from './run-script.ts';
import type { Report } from '../process/steps.ts';

/** @returns the connection string */
export async function startDatabase(run: Run, given: string, port: number, report: Report): Promise<string> {
  const url = given === '' ? await startOwn(run, port, report) : given;
  report('applying migrations');
  await runScript('cli/main.ts', ['migrate'], {
    env: { ...process.env, DATABASE_URL: url },
    signal: run.signal,
  });
  return url;
}

async function startOwn(run: Run, port: number, report: Report): Promise<string> {
  const { home } = run;
  const postgres = await startPostgres({
    dataDir: home.file('postgres'),
    port,
    logFile: home.logFile('postgres'),
    report,
    onStart: run.adopt,
  });
  return postgres.url;
}
