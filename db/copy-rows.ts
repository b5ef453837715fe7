// COPY into a table, in its binary format: nothing is escaped here, and nothing unescaped there.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Knex } from './knex.ts';

/** A text (also of JSON), or the bytes of a value as PostgreSQL sends it. */
export type Field = string | Uint8Array;

interface CopyConnection {
  query(stream: ReturnType<typeof copyFrom>): ReturnType<typeof copyFrom>;
}

/** Some of it is with PostgreSQL while the next is being made. */
const CHUNK_BYTES = 64 * 1024;
const LENGTH_BYTES = 4;
/** Of a UTF-16 code unit in UTF-8. */
const MOST_BYTES = 3;

/**
 * Copies rows as they come, in pieces of bounded size.
 * @param into the table with its columns, as SQL
 * @param fieldsOf a row's fields in the order of these columns; none is null
 * @returns how many
 */
export async function copyRows<Row>(
  trx: Knex.Transaction,
  into: string,
  batches: AsyncIterable<readonly Row[]>,
  fieldsOf: (row: Row) => readonly Field[],
): Promise<number> {
  // A knex transaction hands out its one connection, which is a pg client.
  const connection = (await trx.client.acquireConnection()) as CopyConnection;
  const copy = connection.query(copyFrom(`copy ${into} from stdin (format binary)`));
  const chunks = Readable.from(chunksOf(batches, fieldsOf), { objectMode: true, highWaterMark: 2 });
  await pipeline(chunks, copy);
  return copy.rowCount;
}

export function int4(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export function int8(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

/** https://www.postgresql.org/docs/18/sql-copy.html, "Binary Format": no flags, no extension. */
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const END = Buffer.from([0xff, 0xff]);

async function* chunksOf<Row>(
  batches: AsyncIterable<readonly Row[]>,
  fieldsOf: (row: Row) => readonly Field[],
): AsyncGenerator<Buffer> {
  yield HEADER;
  let chunk = Buffer.alloc(0);
  let at = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      const fields = fieldsOf(row);
      const roomBytes = roomFor(fields);
      if (at + roomBytes > chunk.length) {
        if (at > 0) yield chunk.subarray(0, at);
        // Not used again: it may still be on its way when the next one is made.
        chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, roomBytes));
        at = 0;
      }
      at = writeRow(chunk, at, fields);
    }
  }
  yield Buffer.concat([chunk.subarray(0, at), END]);
}

function roomFor(fields: readonly Field[]): number {
  let sizeBytes = 2;
  for (const field of fields) {
    sizeBytes += LENGTH_BYTES + (typeof field === 'string' ? field.length * MOST_BYTES : field.length);
  }
  return sizeBytes;
}

/** @returns where the row ends */
function writeRow(chunk: Buffer, start: number, fields: readonly Field[]): number {
  let at = chunk.writeInt16BE(fields.length, start);
  for (const field of fields) {
    const from = at + LENGTH_BYTES;
    let sizeBytes = field.length;
    if (typeof field === 'string') sizeBytes = chunk.write(field, from);
    else chunk.set(field, from);
    chunk.writeInt32BE(sizeBytes, at);
    at = from + sizeBytes;
  }
  return at;
}
