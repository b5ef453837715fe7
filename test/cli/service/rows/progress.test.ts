// The progress of a download on a terminal.
import { PassThrough } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { expect, it } from 'vitest';
import { createProgress } from '../../../../cli/service/rows/progress.ts';

it('regression: says once that the connection broke off, until it brings something new', () => {
  const terminal = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true });
  // It writes to the terminal only.
  const progress = createProgress(3, terminal as unknown as WriteStream);
  for (let attempt = 0; attempt < 3; attempt += 1) progress.resume();
  progress.add(Buffer.from('A,1\n'));
  for (let attempt = 0; attempt < 3; attempt += 1) progress.resume();
  expect(String(terminal.read()).match(/Continuing/g)).toHaveLength(2);
});
