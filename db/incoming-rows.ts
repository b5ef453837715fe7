// The rows of a body on their way into the database: a temporary table of the transaction, filled by COPY.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { type Knex, rawRows } from './knex.ts';

export interface IncomingRow {
  key: string;
  /** 16 bytes over the row's canonical form. */
  hash: Buffer;
  /** The row as JSON object text, in the origin's column order. */
  data: string;
}

interface CopyConnection {
  query(stream: ReturnType<typeof copyFrom>): NodeJS.WritableStream;
}

/** Copies rows into the temporary table `incoming`, which lives until the transaction ends. */
export async function loadIncomingRows(
  trx: Knex.Transaction,
  batches: AsyncIterable<readonly IncomingRow[]>,
): Promise<void> {
  await trx.raw(
    `create temporary table incoming (
       ordinal bigint generated always as identity, row_key text collate "C" not null, row_hash bytea not null,
       data json not null
     ) on commit drop`,
  );
  await copyInto(trx, 'incoming (row_key, row_hash, data)', batches, copyLine);
  await keepLastOfDuplicates(trx);
  await trx.raw('analyze incoming');
}

/** Copies keys into the temporary table `left_before`, which lives until the transaction ends. */
export async function loadKeysLeftBefore(
  trx: Knex.Transaction,
  batches: AsyncIterable<readonly string[]>,
): Promise<void> {
  await trx.raw(`create temporary table left_before (row_key text collate "C" not null) on commit drop`);
  await copyInto(trx, 'left_before (row_key)', batches, (key) => `${escapeText(key)}\n`);
  await trx.raw('analyze left_before');
}

async function copyInto<T>(
  trx: Knex.Transaction,
  table: string,
  batches: AsyncIterable<readonly T[]>,
  lineOf: (item: T) => string,
): Promise<void> {
  // A knex transaction hands out its one connection, which is a pg client.
  const connection = (await trx.client.acquireConnection()) as CopyConnection;
  const copy = connection.query(copyFrom(`copy ${table} from stdin`));
  await pipeline(Readable.from(copyText(batches, lineOf), { objectMode: true, highWaterMark: 2 }), copy);
}

/** The last row with a key wins (design 7); the parser has already counted and reported them. */
async function keepLastOfDuplicates(trx: Knex.Transaction): Promise<void> {
  await trx.raw(
    `delete from incoming using (
       select row_key, max(ordinal) as last_ordinal from incoming group by row_key having count(*) > 1
     ) duplicate
     where incoming.row_key = duplicate.row_key and incoming.ordinal < duplicate.last_ordinal`,
  );
}

export async function countIncomingRows(trx: Knex.Transaction): Promise<number> {
  const [row] = await rawRows<{ count: number }>(trx, 'select count(*) as count from incoming');
  return row?.count ?? 0;
}

async function* copyText<T>(
  batches: AsyncIterable<readonly T[]>,
  lineOf: (item: T) => string,
): AsyncGenerator<Buffer> {
  for await (const batch of batches) {
    if (batch.length > 0) yield Buffer.from(batch.map(lineOf).join(''));
  }
}

const copyLine = ({ key, hash, data }: IncomingRow): string =>
  `${escapeText(key)}\t\\\\x${hash.toString('hex')}\t${escapeText(data)}\n`;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** COPY's text format: https://www.postgresql.org/docs/18/sql-copy.html, "Text Format". */
function escapeText(text: string): string {
  return /[\\\t\n\r]/.test(text)
    ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '')
    : text;
}
