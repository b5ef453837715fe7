// A slow reference implementation of the kernel: rows by their bytes, SipHash, and matching by counting.
import { isUtf8 } from 'node:buffer';
import type { RowBytes } from '../../../../core/delta/raw/row-bytes.ts';
import type { ByteRange } from '../../../../core/delta/raw/row-index.ts';

/** Where rows stand in a body, without their line ends; undefined if a quote is open at the end. */
export function splitBytes(body: Uint8Array, split: RowBytes['split']): ByteRange[] | undefined {
  if (split === 'elements') return splitElements(Buffer.from(body).toString('latin1'));
  return split === 'lines' ? splitLines(body) : splitQuoted(body, split);
}

const [LF, CR, QUOTE] = [10, 13, 34];

const ELEMENT_PART = /"(?:[^"\\]|\\[^])*"|[{}[\]]|[^"{}[\]]+/y;

/** Objects of the array at the root; undefined if it is anything else. */
function splitElements(text: string): ByteRange[] | undefined {
  const rows: ByteRange[] = [];
  let at = /^(?:ï»¿)?[ \t\r\n]*\[[ \t\r\n]*/.exec(text)?.[0].length;
  if (at === undefined) return undefined;
  for (;;) {
    const start = at;
    let depth = 0;
    if (text[at] !== '{') return undefined;
    do {
      ELEMENT_PART.lastIndex = at;
      const [part] = ELEMENT_PART.exec(text) ?? [];
      if (part === undefined) return undefined;
      if (part === '{' || part === '[') depth++;
      if (part === '}' || part === ']') depth--;
      at += part.length;
    } while (depth > 0);
    rows.push({ start, end: at });
    const [gap = '', sign = ''] = /^[ \t\r\n]*([,\]])?[ \t\r\n]*/.exec(text.slice(at)) ?? [];
    if (sign === '') return undefined;
    if (sign === ']') return rows;
    at += gap.length;
  }
}

/** A row of delimited text without the cells of some columns. */
export function withoutCells(row: Uint8Array, delimiter: number, ignored: readonly boolean[]): Buffer {
  const cells = cellsOf(row, delimiter).map((cell, column) =>
    ignored[column] === true && isPlain(cell) ? [] : cell,
  );
  return Buffer.from(cells.flatMap((cell, column) => (column === 0 ? cell : [delimiter, ...cell])));
}

/** The bytes of each cell, quotes included. */
function cellsOf(row: Uint8Array, delimiter: number): number[][] {
  let cell: number[] = [];
  const cells = [cell];
  let isQuoted = false;
  for (const byte of row) {
    if (byte === delimiter && !isQuoted) {
      cell = [];
      cells.push(cell);
      continue;
    }
    cell.push(byte);
    // A quoted cell ends with the quote that makes their number even; literal text may follow.
    const text = Buffer.from(cell).toString('latin1');
    isQuoted = text.startsWith('"') && !/^"(?:[^"]|"")*"(?!")/.test(text);
  }
  return cells;
}

const isPlain = (cell: readonly number[]): boolean => {
  const bytes = Buffer.from(cell);
  const text = bytes.toString('latin1');
  return isUtf8(bytes) && !text.includes('\0') && (!text.startsWith('"') || /^"(?:[^"]|"")*"$/.test(text));
};

function splitLines(body: Uint8Array): ByteRange[] {
  const rows: ByteRange[] = [];
  for (let start = markLength(body); start < body.length;) {
    const lf = body.indexOf(LF, start);
    const end = lf === -1 ? body.length : lf;
    const line = body.subarray(start, end);
    const isBlank = line.every((byte) => byte === 32 || (byte >= 9 && byte <= 13));
    if (!isBlank) rows.push({ start, end: line.at(-1) === CR ? end - 1 : end });
    start = end + 1;
  }
  return rows;
}

function splitQuoted(body: Uint8Array, delimiter: number): ByteRange[] | undefined {
  const rows: ByteRange[] = [];
  let state: 'field-start' | 'plain' | 'quoted' | 'quote-in-quoted' = 'field-start';
  let start = markLength(body);
  for (let at = start; at < body.length; at++) {
    const byte = body[at];
    if (state === 'quoted') {
      if (byte === QUOTE) state = 'quote-in-quoted';
    } else if (state === 'quote-in-quoted' && byte === QUOTE) {
      state = 'quoted';
    } else if (byte === LF || byte === CR) {
      if (at > start) rows.push({ start, end: at });
      start = at + 1;
      state = 'field-start';
    } else if (byte === delimiter) {
      state = 'field-start';
    } else {
      state = state === 'field-start' && byte === QUOTE ? 'quoted' : 'plain';
    }
  }
  if (state === 'quoted') return undefined;
  if (body.length > start) rows.push({ start, end: body.length });
  return rows;
}

const markLength = (body: Uint8Array): number =>
  body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;

/** How many rows are left on either side once equal ones are paired off, by hash. */
export function countLeft(before: readonly string[], now: readonly string[]): Map<string, number> {
  const left = new Map<string, number>();
  for (const hash of before) left.set(hash, (left.get(hash) ?? 0) - 1);
  for (const hash of now) left.set(hash, (left.get(hash) ?? 0) + 1);
  return left;
}

const MASK = (1n << 64n) - 1n;

/** SipHash with 128 bits of output, after https://www.aumasson.jp/siphash/siphash.pdf and the reference in C. */
export function sipHash128(data: Uint8Array, key: Uint8Array, rounds = { each: 1, last: 3 }): Buffer {
  const [k0, k1] = [word(key, 0), word(key, 8)];
  const v: [bigint, bigint, bigint, bigint] = [
    k0 ^ 0x736f6d6570736575n,
    k1 ^ 0x646f72616e646f6dn ^ 0xeen,
    k0 ^ 0x6c7967656e657261n,
    k1 ^ 0x7465646279746573n,
  ];
  const mix = (count: number): void => {
    for (let n = 0; n < count; n++) round(v);
  };
  const whole = data.length - (data.length % 8);
  for (let at = 0; at <= whole; at += 8) {
    const length = at === whole ? (BigInt(data.length) << 56n) & MASK : 0n;
    const m = word(data.subarray(0, at + 8), at) | length;
    v[3] ^= m;
    mix(rounds.each);
    v[0] ^= m;
  }
  const out = Buffer.alloc(16);
  v[2] ^= 0xeen;
  mix(rounds.last);
  out.writeBigUInt64LE(v[0] ^ v[1] ^ v[2] ^ v[3], 0);
  v[1] ^= 0xddn;
  mix(rounds.last);
  out.writeBigUInt64LE(v[0] ^ v[1] ^ v[2] ^ v[3], 8);
  return out;
}

function round(v: [bigint, bigint, bigint, bigint]): void {
  v[0] = (v[0] + v[1]) & MASK;
  v[2] = (v[2] + v[3]) & MASK;
  v[1] = rotate(v[1], 13n) ^ v[0];
  v[3] = rotate(v[3], 16n) ^ v[2];
  v[0] = rotate(v[0], 32n);
  v[2] = (v[2] + v[1]) & MASK;
  v[0] = (v[0] + v[3]) & MASK;
  v[1] = rotate(v[1], 17n) ^ v[2];
  v[3] = rotate(v[3], 21n) ^ v[0];
  v[2] = rotate(v[2], 32n);
}

const rotate = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (64n - by))) & MASK;

/** Eight bytes, little-endian; those past the end are zero. */
const word = (bytes: Uint8Array, at: number): bigint =>
  bytes.subarray(at, at + 8).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
