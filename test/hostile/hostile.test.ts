// Hostile bodies end in a typed error, within bounded memory. HOSTILE_MB=1024 makes them as large as that.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BOMBS, HOSTILE_BODIES } from './bodies.ts';

const SIZE_BYTES = Number(process.env['HOSTILE_MB'] ?? 24) * 1024 * 1024;
/** The limit of the whole process, of which Node takes a quarter. */
const MAX_PEAK_MIB = 400;
const READ = fileURLToPath(new URL('read-hostile.ts', import.meta.url));

interface Reading {
  outcome: string;
  peakMib: number;
  seconds: number;
}

async function read(name: string): Promise<Reading> {
  const { stdout } = await promisify(execFile)(process.execPath, [READ, name, String(SIZE_BYTES)]);
  return JSON.parse(stdout) as Reading; // as read-hostile.ts prints it
}

const cases = [
  ...Object.entries(HOSTILE_BODIES).map(([name, { outcome }]) => [name, outcome] as const),
  ...Object.keys(BOMBS).map((name) => [name, /body_too_large: .*200-fold/] as const),
];

test.for(cases)('%s', async ([name, outcome]) => {
  const reading = await read(name);
  expect(reading.outcome).toMatch(outcome);
  expect(reading.peakMib).toBeLessThan(MAX_PEAK_MIB);
});
