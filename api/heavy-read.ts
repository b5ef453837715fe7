// Reads that may be slow: on connections of their own, and cut off in time with advice.
import { ApiError } from '../core/errors.ts';
import type { Database } from '../db/knex.ts';
import { isPostgresError } from '../db/postgres-errors.ts';
import type { Context } from './context.ts';

/** @throws ApiError query_too_expensive when the statement timeout of these connections ended it */
export async function heavyRead<T>(
  { heavyDb }: Pick<Context, 'heavyDb'>,
  read: (db: Database) => Promise<T>,
): Promise<T> {
  try {
    return await read(heavyDb);
  } catch (cause) {
    if (!isPostgresError(cause, 'queryCancelled')) throw cause;
    throw new ApiError(
      'query_too_expensive',
      'Answering this takes too long. Filter for a value of the row key, name fewer columns, or download the snapshot and work on the file.',
      { cause },
    );
  }
}
