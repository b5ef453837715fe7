// Log files of child processes: opens them for writing, and reads them for error messages.
import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const MAX_LOG_BYTES = 16 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

/** Opens a log for appending. Renames a large one to `.old` first, replacing an earlier `.old`. */
export function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (sizeBytes > MAX_LOG_BYTES) renameSync(path, `${path}.old`);
  return openSync(path, 'a', 0o600);
}

/** The log's text from a byte offset on; empty when there is no such file. */
export function readLogFrom(path: string, from: number): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - from));
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}

/** The last lines that were written at or after an offset, indented for an error message. */
export function lastLines(path: string, { from = 0, count = 20 }: { from?: number; count?: number }): string {
  const lines = readLogFrom(path, from).slice(-TAIL_BYTES).trimEnd().split('\n');
  return lines
    .slice(-count)
    .filter((line) => line !== '')
    .map((line) => `  ${line}`)
    .join('\n');
}
