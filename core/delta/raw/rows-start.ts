// Where in a JSON document its rows begin.
import { TextDecoder } from '@exodus/bytes/encoding.js';
import { ROW_LIMITS } from '../model.ts';
import { createDocumentWalk } from '../json/walk-document.ts';
import { NeedsExactPath } from './needs-exact-path.ts';
import type { RowBytes } from './row-bytes.ts';

/** Most often the rows begin near the document's beginning. */
const FIRST_LENGTH = 4096;

/**
 * @param head bytes from the document's beginning, perhaps up to the middle of a character
 * @returns at which byte the first element begins of the array that the path leads to
 * @throws NeedsExactPath it is not whole in these bytes @throws CheckError what stands before it is not JSON
 */
export function findRowsStart(head: Uint8Array, { charset, rowsPath }: RowBytes): number {
  const text = decodeHead(head, charset);
  const starts: number[] = [];
  const { walk } = createDocumentWalk({
    takeArray: (path) =>
      (path ?? '') === rowsPath && path !== '' ? (_element, offset) => void starts.push(offset) : undefined,
    nameElement: () => '',
    limits: ROW_LIMITS,
  });
  for (let at = 0, length = FIRST_LENGTH; starts.length === 0; length *= 2) {
    at += walk(text.slice(at, length), false);
    if (length >= text.length) break;
  }
  const [start] = starts;
  if (start === undefined) throw new NeedsExactPath('The rows begin too late');
  // In other charsets each byte is a character.
  return charset === 'utf-8' ? Buffer.byteLength(text.slice(0, start)) : start;
}

function decodeHead(head: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(head, { stream: true });
  } catch (cause) {
    throw new NeedsExactPath(`The document does not begin in ${charset}`, { cause });
  }
}
