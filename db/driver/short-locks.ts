// Runs migrations beside a running service: with a short lock_timeout, and again when they ran into it.
import type { Knex } from 'knex';
import { setTimeout } from 'node:timers/promises';
import { isPostgresError } from './knex.ts';

/**
 * While a migration waits for a table, all that come after it wait as well. Shorter than `deadlock_timeout` of PostgreSQL (1 s),
 * so that in a deadlock it is the migration that ends, and not a commit of the service.
 */
const LOCK_WITHIN_MS = 500;
const PAUSE_MS = 1_000;
/** Commits of large bodies take minutes. */
const PATIENCE_MS = 15 * 60_000;

interface Migration {
  up: (knex: Knex) => Promise<void>;
  config?: { transaction: boolean };
}

/** One without a transaction stays as it is: a concurrent index that is interrupted would be left invalid. See shortStep. */
export function withShortLocks<M extends Migration>(migration: M): M {
  if (migration.config?.transaction === false) return migration;
  return {
    ...migration,
    up: async (knex) => {
      await knex.raw(SHORT_LOCKS);
      await migration.up(knex);
    },
  };
}

const SHORT_LOCKS = `set local lock_timeout = ${LOCK_WITHIN_MS}`;

/**
 * Runs a step of a migration without a transaction in one of its own, with the short lock_timeout. The migration begins again when
 * the step runs into it.
 */
export const shortStep = (knex: Knex, ...statements: string[]): Promise<void> =>
  knex.transaction(async (step) => {
    for (const statement of [SHORT_LOCKS, ...statements]) await step.raw(statement);
  });

/** Retries the work until it obtains its locks. @throws Error after PATIENCE_MS without them */
export async function giveWay<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPostgresError(error, 'lockNotAvailable')) throw error;
      if (Date.now() > deadline) throw new Error(TIRED, { cause: error });
    }
    await setTimeout(PAUSE_MS);
  }
}

const TIRED =
  'A table that is to be migrated has been in use for 15 minutes. End the oldest transaction in pg_stat_activity, or run ' +
  'migrate again when no large body is being committed. What was migrated so far remains.';

/** An index whose concurrent creation was interrupted stays, and no query uses it. Drops it, so that it is made again. */
export async function dropInvalid(knex: Knex, index: string): Promise<void> {
  const { rows }: { rows: unknown[] } = await knex.raw(
    'select from pg_index where indexrelid = to_regclass(?) and not indisvalid',
    [index],
  );
  if (rows.length > 0) await knex.raw('drop index concurrently ??', [index]);
}
