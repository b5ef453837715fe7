// The command `migrate`: for deployments, and for the one-command runner, which keeps no database library loaded.
import { parseConfig } from '../../core/config.ts';
import { migrate } from '../../db/migrate.ts';

/** @throws Error when DATABASE_URL is not set, or the database cannot be migrated */
export async function migrateCommand(): Promise<void> {
  const { databaseUrl } = parseConfig(process.env);
  if (databaseUrl === '') throw new Error('DATABASE_URL is not set');
  await migrate(databaseUrl);
}
