// Which bodies can be split into rows by their bytes.
import type { Dialect } from '../model.ts';
import type { RowBytes } from './row-matcher.ts';

/**
 * UTF-8 only: in other encodings the bytes of a delimiter may be part of a character, and rows could not be decoded
 * alone. @returns undefined for what cannot
 */
export function rowBytes({ format, charset, delimiter }: Dialect, seed: Uint8Array): RowBytes | undefined {
  if (charset !== 'utf-8' || format === 'json') return undefined;
  if (format === 'jsonl') return { seed, delimiter: null };
  const code = delimiter?.length === 1 ? delimiter.charCodeAt(0) : 128;
  return code < 128 ? { seed, delimiter: code } : undefined;
}
