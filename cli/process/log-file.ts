// Reads what a child process wrote to its log file.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const TAIL_BYTES = 16 * 1024;

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
export function lastLines(path: string, { from = 0, count = 12 }: { from?: number; count?: number }): string {
  const lines = readLogFrom(path, from).slice(-TAIL_BYTES).trimEnd().split('\n');
  return lines
    .slice(-count)
    .filter((line) => line !== '')
    .map((line) => `  ${line}`)
    .join('\n');
}
