// Progress lines: one when a step is done, and the state of a slow step.
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { duration, showSteps } from '../../../cli/process/steps.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A terminal or a log that records its output. */
function output(isTTY: boolean): { out: NodeJS.WriteStream; written: () => string } {
  const stream = new PassThrough();
  const chunks: string[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  // Only these members of a terminal are used.
  const out = Object.assign(stream, { isTTY, columns: 80 }) as unknown as NodeJS.WriteStream;
  return { out, written: () => chunks.join('') };
}

test('a quick step is one line', async () => {
  const { out, written } = output(false);
  const steps = showSteps(out);
  expect(
    await steps.run(
      'Database',
      () => Promise.resolve(5),
      (port) => `port ${port}`,
    ),
  ).toBe(5);
  steps.close();
  expect(written()).toBe('✓ Database: port 5 (0.0 s)\n');
});

test.each([true, false])('a slow step says what it does and for how long (terminal: %s)', async (isTTY) => {
  const { out, written } = output(isTTY);
  const steps = showSteps(out);
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = (report: (text: string) => void) => {
    report('compiling: 3 of at most 9 packages');
    return promise;
  };
  const running = steps.run('Temporal', work, () => 'built');
  await vi.advanceTimersByTimeAsync(1_900);
  expect(written()).toBe('');
  await vi.advanceTimersByTimeAsync(60_000);
  const shown = written().match(/… Temporal: compiling: 3 of at most 9 packages \([^)]+\)/g) ?? [];
  // A log gets a line from time to time; a terminal is redrawn.
  expect(shown.length > 20).toBe(isTTY);
  expect(shown.length).toBeGreaterThan(3);
  expect(shown[0]).toContain('(2.0 s)');
  resolve();
  await running;
  steps.close();
  expect(written()).toMatch(/✓ Temporal: built \(1 min 2 s\)\n/);
});

test('a failed step prints no success', async () => {
  const { out, written } = output(false);
  const steps = showSteps(out);
  const failing = steps.run(
    'API',
    () => Promise.reject(new Error('taken')),
    () => 'up',
  );
  await expect(failing).rejects.toThrow('taken');
  steps.close();
  expect(written()).toBe('');
});

test.each([
  [0, '0.0 s'],
  [9_940, '9.9 s'],
  [59_400, '59 s'],
  [185_000, '3 min 5 s'],
])('%d ms reads %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});
