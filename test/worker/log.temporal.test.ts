// Errors of the real database in log lines: they say what happened and contain no value of a row.
import type { Logger } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../api/http/logger.ts';
import { type Database, openDatabase } from '../../db/driver/knex.ts';
import { createLog } from '../../worker/log.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';

function logged(make: typeof createLog, write: (log: Logger) => void): string {
  const lines: string[] = [];
  write(make('debug', { write: (line) => void lines.push(line) }));
  return lines.join('');
}

describe('an error of the database', () => {
  let database: TestDatabase;
  let db: Database;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = openDatabase(database.url, { poolSize: 1 });
    await db.raw('create table people (name text primary key, age integer)');
    await db('people').insert({ name: 'private-name', age: 1 });
  });

  afterAll(async () => {
    await db.destroy();
    await database.drop();
  });

  const failures: [string, () => Promise<unknown>][] = [
    ['23505', () => db('people').insert({ name: 'private-name', age: 2 })],
    ['22P02', () => db('people').where({ age: 'private-age' })],
    ['42703', () => db('people').where({ name: 'private-name', nothing: 'private - value' })],
    ['23502', () => db('people').insert({ name: null, age: 7_654_321 })],
  ];

  it.each(failures)('%s shows what happened and no value', async (code, fail) => {
    const error: unknown = await fail().catch((reason: unknown) => reason);
    if (!(error instanceof Error)) throw new Error('The statement succeeded');
    for (const make of [createLogger, createLog]) {
      const line = logged(make, waysToLog(error));
      expect(line).not.toMatch(/private|7654321/);
      expect(JSON.parse(line.split('\n')[0] ?? '')).toMatchObject({ err: { code } });
    }
  });

  it('names its constraint', async () => {
    const error: unknown = await db('people')
      .insert({ name: 'private-name' })
      .catch((reason: unknown) => reason);
    expect(JSON.parse(logged(createLog, (log) => log.error({ err: error }, 'x')))).toMatchObject({
      err: {
        constraint: 'people_pkey',
        message: 'duplicate key value violates unique constraint "people_pkey"',
      },
    });
  });
});

/** Excludes the ways that use the message as that of the line, which the caller decides. */
const waysToLog =
  (error: Error) =>
  (log: Logger): void => {
    log.error({ err: error }, 'x');
    log.warn({ reason: error, list: [{ deep: { cause: error } }] }, 'x');
    log.child({ err: error }).info('x');
    log.info({ err: new Error('outer', { cause: error }) }, 'x');
  };
