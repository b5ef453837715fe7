// A PostgreSQL for a measurement, which ends with the process that measures, however that ends.
import { type PostgresOptions, type RunningPostgres, startPostgres } from '../cli/postgres/start-postgres.ts';

export async function startBenchPostgres(
  options: Pick<PostgresOptions, 'dataDir' | 'settings'>,
): Promise<RunningPostgres> {
  let abandon = (): void => undefined;
  const server = await startPostgres({
    ...options,
    onStart: ({ pid }) => {
      abandon = () => void process.kill(pid, 'SIGINT');
      process.once('exit', abandon);
    },
  });
  const stop = async (): Promise<void> => {
    process.off('exit', abandon);
    await server.stop();
  };
  return { ...server, stop };
}
