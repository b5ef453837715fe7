// The bytes of whole rows as text.
import { isUtf8 } from 'node:buffer';
import { TextDecoder } from '@exodus/bytes/encoding.js';
import { NeedsExactPath } from './needs-exact-path.ts';

/**
 * Where rows begin, a byte order mark is a character: that of the body is not among them.
 * @throws NeedsExactPath they are not in this charset
 */
export function rowText(bytes: Uint8Array, charset: string): string {
  if (charset === 'utf-8') {
    if (!isUtf8(bytes)) throw new NeedsExactPath('A row is not UTF-8');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  }
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new NeedsExactPath(`A row is not ${charset}`, { cause });
  }
}
