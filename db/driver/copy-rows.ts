// Writes rows with COPY in its binary format, in which nothing has to be escaped.
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Knex } from './knex.ts';
import { noteProgress, waiting } from './pulse.ts';

/** A text (also JSON), or the bytes of a value in PostgreSQL's binary format. */
export type Field = string | Uint8Array;

type Copy = ReturnType<typeof copyFrom>;

interface CopyConnection {
  query(stream: Copy): Copy;
  connection: { stream: Writable };
}

/** One chunk is sent while the next one is filled. */
const CHUNK_BYTES = 64 * 1024;
const LENGTH_BYTES = 4;
/** The most bytes that one UTF-16 code unit takes in UTF-8. */
const MOST_BYTES = 3;

/**
 * Copies rows as they arrive, in chunks of bounded size.
 * @param into the table with its columns, as SQL
 * @param fieldsOf a row's fields in the order of these columns; none is null
 * @returns the number of rows
 */
export async function copyRows<Row>(
  trx: Knex.Transaction,
  into: string,
  batches: AsyncIterable<readonly Row[]>,
  fieldsOf: (row: Row) => readonly Field[],
): Promise<number> {
  // A knex transaction gives its only connection, which is a client of pg.
  const connection = (await trx.client.acquireConnection()) as CopyConnection;
  const copy = connection.query(copyFrom(`copy ${into} from stdin (format binary)`));
  await sendInTurn(chunksOf(batches, fieldsOf), copy, connection.connection.stream);
  return copy.rowCount;
}

/** Asks for another chunk only when the one before the last has left the process, because its memory is used again. */
async function sendInTurn(chunks: AsyncIterable<Buffer>, copy: Copy, socket: Writable): Promise<void> {
  let isOver = false;
  const over = finished(copy).finally(() => {
    isOver = true;
  });
  let giveUp = (_error: unknown): void => undefined;
  over.catch((error: unknown) => giveUp(error));
  const send = (chunk: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      giveUp = reject;
      const finish = (error?: Error | null): void => (error ? reject(error) : resolve());
      // The first callback says that the socket has the chunk; the second, that the chunk was sent.
      copy.write(chunk, (error) => (error ? reject(error) : socket.write(NOTHING, finish)));
    });
  let sent = Promise.resolve();
  try {
    for await (const chunk of chunks) {
      await sent;
      noteProgress();
      sent = send(chunk);
      sent.catch(() => undefined);
    }
    await sent;
    copy.end();
  } catch (error) {
    // Prefers PostgreSQL's error, if PostgreSQL ended the COPY.
    if (isOver) await over;
    copy.destroy(error instanceof Error ? error : new Error(String(error)));
    await over.catch(() => undefined);
    throw error;
  }
  await waiting(() => over);
}

const NOTHING = Buffer.alloc(0);

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

/**
 * Fills two buffers in turns, because new ones would pile up until the garbage collector runs. A chunk is valid until the
 * second next one is requested.
 */
async function* chunksOf<Row>(
  batches: AsyncIterable<readonly Row[]>,
  fieldsOf: (row: Row) => readonly Field[],
): AsyncGenerator<Buffer> {
  yield HEADER;
  let chunk = Buffer.alloc(0);
  let other = Buffer.alloc(0);
  let at = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      const fields = fieldsOf(row);
      const roomBytes = roomFor(fields);
      if (at + roomBytes > chunk.length) {
        if (at > 0) yield chunk.subarray(0, at);
        [chunk, other] = [other, chunk];
        if (roomBytes > chunk.length) chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, roomBytes));
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

/** @returns the offset at which the row ends */
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
