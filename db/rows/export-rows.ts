// Exports all rows of a snapshot, page by page. Each page is a statement of its own, so that a slow reader holds no
// connection. A page arrives as the bytes of a binary COPY, because reading a million values one by one takes several times
// as long (docs/decisions/0016-exports.md).
import { to as copyTo } from 'pg-copy-streams';
import { ApiError } from '../../core/errors.ts';
import type { RowPage } from '../../core/export/row-page.ts';
import type { Database } from '../driver/knex.ts';
import type { SnapshotRef } from './snapshots.ts';

const MAX_PAGE_ROWS = 1_000;
/** The limit for a page with more than one row. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

interface Cut {
  /** The key of the last row before the page; null for the first page. */
  after: string | null;
  rows: number;
}

interface CopiedPage extends RowPage {
  lastKey: string | null;
  /** A row too large for this page follows. */
  isCut: boolean;
  largestRowBytes: number;
}

/**
 * Rows by row key, in byte order. The next page is read while the caller uses the last one. Two buffers take turns, so a page
 * is valid only until the next one is requested.
 * @throws ApiError gone when the snapshot was pruned meanwhile, because a part of its rows must not pass for all
 */
export async function* exportRows(
  db: Database,
  snapshot: SnapshotRef & { totalRows: number },
): AsyncGenerator<RowPage> {
  let cut: Cut = { after: null, rows: MAX_PAGE_ROWS };
  let largestRowBytes = 0;
  let rows = 0;
  const buffers = [createGrowingBuffer(), createGrowingBuffer()] as const;
  let coming = copyPage(db, snapshot, cut, buffers[0]);
  for (let turn = 1; ; turn = 1 - turn) {
    const page = await coming;
    const count = page.spans.length / 2;
    rows += count;
    const isLast = !page.isCut && count < cut.rows;
    if (isLast && rows !== snapshot.totalRows)
      throw new ApiError('gone', 'Rows of this snapshot are no longer kept.');
    if (!isLast) {
      // Decreases slowly, so that few pages are cut where large rows are mixed with small ones.
      largestRowBytes = Math.max(page.largestRowBytes, largestRowBytes / 2);
      cut = { after: page.lastKey ?? cut.after, rows: page.isCut ? 1 : rowsPerPage(largestRowBytes) };
      coming = copyPage(db, snapshot, cut, buffers[turn === 0 ? 0 : 1]);
      // A caller that stops here never awaits it.
      coming.catch(() => undefined);
    }
    if (count > 0) yield page;
    if (isLast) return;
  }
}

const rowsPerPage = (largestRowBytes: number): number =>
  Math.max(1, Math.min(MAX_PAGE_ROWS, Math.floor(MAX_PAGE_BYTES / (2 * largestRowBytes))));

interface CopyConnection {
  query(stream: ReturnType<typeof copyTo>): NodeJS.ReadableStream;
}

async function copyPage(
  db: Database,
  snapshot: SnapshotRef,
  cut: Cut,
  buffer: GrowingBuffer,
): Promise<CopiedPage> {
  // The connections of knex's pool are clients of pg.
  const connection = (await db.client.acquireConnection()) as CopyConnection;
  try {
    buffer.clear();
    for await (const chunk of connection.query(copyTo(pageSql(snapshot, cut)))) {
      // A stream without encoding gives buffers.
      buffer.append(chunk as Buffer);
    }
    return readCopy(buffer.content());
  } finally {
    await db.client.releaseConnection(connection);
  }
}

/**
 * COPY takes no parameters: the numbers are our own, and the key is written as hexadecimal digits. A row that is too large
 * for its share of the page comes as null, without being read from its storage.
 */
function pageSql({ recordNo, generation, sequence }: SnapshotRef, { after, rows }: Cut): string {
  const share = Math.floor(MAX_PAGE_BYTES / rows);
  const data =
    rows === 1
      ? 'data'
      : `case when pg_column_size(data) <= ${share}
           and (pg_column_compression(data) is null or octet_length(data::text) <= ${share}) then data end`;
  const key = after === null ? '' : Buffer.from(after).toString('hex');
  const beyond = after === null ? '' : `and row_key > convert_from('\\x${key}', 'UTF8') collate "C"`;
  return `copy (
    select row_key, ${data} from row_versions
    where record_no = ${recordNo} and generation = ${generation}
      and first_seq <= ${sequence} and (last_seq is null or last_seq >= ${sequence}) ${beyond}
    order by row_key limit ${rows}
  ) to stdout (format binary)`;
}

const HEADER_BYTES = 19;
const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;

/** COPY's binary format: a header; for each row the number of fields, then the length and bytes of each; -1 at the end. */
function readCopy(bytes: Buffer): CopiedPage {
  const spans: number[] = [];
  let largestRowBytes = 0;
  let isCut = false;
  let keyStart = 0;
  let keyEnd = 0;
  let at = HEADER_BYTES;
  while (bytes.readInt16BE(at) !== -1) {
    const start = at + COUNT_BYTES + LENGTH_BYTES;
    const end = start + bytes.readInt32BE(at + COUNT_BYTES);
    const length = bytes.readInt32BE(end);
    isCut = length === -1;
    if (isCut) break;
    keyStart = start;
    keyEnd = end;
    at = end + LENGTH_BYTES + length;
    spans.push(end + LENGTH_BYTES, at);
    largestRowBytes = Math.max(largestRowBytes, length);
  }
  const lastKey = spans.length === 0 ? null : bytes.toString('utf8', keyStart, keyEnd);
  return { bytes, spans, lastKey, isCut, largestRowBytes };
}

/** A buffer that is used again and again. New buffers for each page would pile up until the garbage collector runs. */
interface GrowingBuffer {
  clear: () => void;
  append: (chunk: Buffer) => void;
  /** The bytes appended since the last clear; valid until the next one. */
  content: () => Buffer;
}

function createGrowingBuffer(): GrowingBuffer {
  let bytes = Buffer.alloc(0);
  let length = 0;
  return {
    clear: () => {
      length = 0;
    },
    append: (chunk) => {
      if (length + chunk.length > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(2 * (length + chunk.length));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      length += chunk.copy(bytes, length);
    },
    content: () => bytes.subarray(0, length),
  };
}
