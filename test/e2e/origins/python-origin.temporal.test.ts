// `python3 -m http.server` as the origin of many records at once. It speaks HTTP/1.0 and closes every connection at the end of
// the body, while the worker is still reading. That used to crash workers.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Child, startChild } from '../../../cli/process/start-child.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { checkAndWait, createRecord, startSystem, type System } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';

/** Sizes of the bodies in KB. */
const SIZES_KB = [
  ...Array<number>(14).fill(100),
  ...Array<number>(7).fill(1_000),
  ...Array<number>(3).fill(10_000),
];
/** Wide enough that the largest body has no more rows than the tier `free` allows. */
const ROW_BYTES = 1_000;

let system: System;
let folder: string;
let python: Child;
let url: string;

/** The last row alone holds the version, so the whole body must arrive. */
function write(number: number, version: string): void {
  const rows = ((SIZES_KB[number] ?? 0) * 1_000) / ROW_BYTES;
  const lines = Array.from({ length: rows }, (_, i) => `${i},${'x'.repeat(ROW_BYTES - 10)}\n`);
  writeFileSync(join(folder, `${number}.csv`), `id,text\n${lines.join('')}last,${version}\n`);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recordwatch-python-'));
  SIZES_KB.forEach((_size, number) => write(number, 'first'));
  const port = await freePort();
  python = await startChild({
    name: 'python3 -m http.server',
    command: 'python3',
    args: ['-m', 'http.server', '--bind', '127.0.0.1', '--directory', folder, String(port)],
    env: { PATH: process.env['PATH'] },
    logFile: join(folder, 'log'),
  });
  url = `http://127.0.0.1:${port}`;
  await until('it serves', () => fetch(url).then(() => true, () => false)); // prettier-ignore
  system = await startSystem();
});

afterAll(async () => {
  await system.stop();
  await python.stop();
  rmSync(folder, { recursive: true });
});

it(
  'regression: closed connections do not crash the worker, and bodies arrive whole',
  { timeout: 600_000 },
  async () => {
    const worker = system.pidOf('worker');
    const records = await Promise.all(
      SIZES_KB.map((_size, number) => createRecord(system, { url: `${url}/${number}.csv` })),
    );
    for (const version of ['second', 'third']) {
      SIZES_KB.forEach((_size, number) => write(number, version));
      const checks = await Promise.all(records.map(({ id }) => checkAndWait(system, id)));
      for (const [number, check] of checks.entries()) {
        expect(check).toMatchObject({ outcome: 'changed', error: null });
        const { body } = await system.call('GET', `/v1/sources/${records[number]?.id}/delta/latest`);
        expect(body).toMatchObject({ newCount: 0, changedCount: 1, deletedCount: 0, changedKeys: ['last'] });
      }
    }
    expect(system.pidOf('worker')).toBe(worker);
    expect(system.isRunning('worker')).toBe(true);
    expect(system.logs()).not.toMatch(/"level":60/);
  },
);
