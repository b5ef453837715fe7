// Writes to standard output no faster than it is read.
import { once } from 'node:events';
import { safeLines } from '../../core/text/safe-text.ts';
import type { DiffFormat } from './report.ts';

const PIECE_LENGTH = 64 * 1024;

/** Formats whose values are printed as they are. On a terminal they could give it commands. */
const RAW: readonly DiffFormat[] = ['csv', 'html'];

export async function writeOut(lines: Iterable<string>, format: DiffFormat): Promise<void> {
  const isGuarded = process.stdout.isTTY && RAW.includes(format);
  let piece = '';
  const write = async (): Promise<void> => {
    const text = isGuarded ? safeLines(piece) : piece;
    piece = '';
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  };
  for (const line of lines) {
    piece += line;
    if (piece.length >= PIECE_LENGTH) await write();
  }
  if (piece !== '') await write();
}
