// The command `migrate`: for deployments, and for the one-command runner, which keeps no database library loaded.
import { migrate } from '../../db/migrate.ts';
import { operatorSettings } from '../operator/settings.ts';

/** @throws Error that says what to set when no database is named; when the database cannot be migrated */
export async function migrateCommand(): Promise<void> {
  await migrate(operatorSettings(process.env).databaseUrl);
}
