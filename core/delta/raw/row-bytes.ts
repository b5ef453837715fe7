// Which bodies can be split into rows by their bytes.
import type { Dialect } from '../model.ts';

/**
 * What a row matcher needs to know. UTF-8 only: in other encodings the bytes of a delimiter may be part of a character,
 * and rows could not be decoded alone.
 * @returns undefined for what cannot be split so; a null delimiter where every line is a row
 */
export function rowBytes({ format, charset, delimiter }: Dialect): { delimiter: number | null } | undefined {
  if (charset !== 'utf-8' || format === 'json') return undefined;
  if (format === 'jsonl') return { delimiter: null };
  const code = delimiter?.length === 1 ? delimiter.charCodeAt(0) : 128;
  return code < 128 ? { delimiter: code } : undefined;
}
