// COPY in chunks with reused memory: every row arrives unchanged, and a failure of either side ends both.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyRows, int4 } from '../../../db/driver/copy-rows.ts';
import { type Database, type Knex, rawRows } from '../../../db/driver/knex.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

const withTable = <T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> =>
  db.transaction(async (trx) => {
    await trx.raw('create temporary table copied (number integer, text text, digest text) on commit drop');
    return work(trx);
  });

const textOf = (number: number, length: number): string => `${number} é `.repeat(length).slice(0, length);

/** Rows of many sizes. Some of the last ones are larger than a chunk. */
// eslint-disable-next-line require-await -- rows arrive asynchronously
async function* batchesOf(count: number): AsyncGenerator<number[]> {
  for (let from = 0; from < count; from += 50) yield Array.from({ length: 50 }, (_, index) => from + index);
}

function fieldsOf(number: number): [Buffer, string, string] {
  const text = textOf(number, number > 95_000 && number % 997 === 0 ? 100_000 : number % 700);
  return [int4(number), text, createHash('md5').update(text).digest('hex')];
}

const copyInto = (trx: Knex.Transaction, batches: AsyncIterable<readonly number[]>): Promise<number> =>
  copyRows(trx, 'copied (number, text, digest)', batches, fieldsOf);

describe('COPY', () => {
  it('copies every row unchanged, however slowly the server reads', async () => {
    const count = 100_000;
    await withTable(async (trx) => {
      // Meanwhile more rows wait than the sockets hold.
      await trx.raw(`create function pg_temp.pause() returns trigger language plpgsql as
        $$ begin if new.number in (10, 50000) then perform pg_sleep(0.5); end if; return new; end $$`);
      await trx.raw(
        'create trigger slow before insert on copied for each row execute function pg_temp.pause()',
      );
      expect(await copyInto(trx, batchesOf(count))).toBe(count);
      const [found] = await rawRows(
        trx,
        'select count(*) as rows, count(distinct number) as numbers, count(*) filter (where md5(text) = digest) as whole from copied',
      );
      expect(found).toEqual({ rows: count, numbers: count, whole: count });
    });
  });

  it('copies nothing when there are no rows', async () => {
    expect(await withTable((trx) => copyInto(trx, batchesOf(0)))).toBe(0);
  });

  it('fails with the error of the rows when they fail', async () => {
    async function* failing(): AsyncGenerator<number[]> {
      yield* batchesOf(5_000);
      throw new Error('no more');
    }
    await expect(withTable((trx) => copyInto(trx, failing()))).rejects.toThrow('no more');
    expect(await rawRows(db, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it("fails with PostgreSQL's error for a row that it refuses, also while more rows arrive", async () => {
    const copying = withTable((trx) =>
      copyRows(trx, 'copied (number, text, digest)', batchesOf(50_000), (number) => [
        int4(number),
        number === 10_000 ? '\0' : 'text',
        '',
      ]),
    );
    await expect(copying).rejects.toThrow(/invalid byte sequence/);
    expect(await rawRows(db, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('fails when the connection breaks', async () => {
    const copying = withTable(async (trx) => {
      const [{ pid } = { pid: 0 }] = await rawRows<{ pid: number }>(trx, 'select pg_backend_pid() as pid');
      async function* endless(): AsyncGenerator<number[]> {
        for (let from = 0; ; from += 1) {
          if (from === 1_000) await db.raw('select pg_terminate_backend(?)', [pid]);
          yield [from];
        }
      }
      return copyInto(trx, endless());
    });
    await expect(copying).rejects.toThrow(/[Cc]onnection|ECONNRESET|EPIPE/);
    expect(await rawRows(db, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});
