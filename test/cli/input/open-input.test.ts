// Versions that come through named pipes.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { PROGRAMS } from '../../support/servers/programs.ts';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'recordwatch-pipes-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'old.csv'), 'id,v\n1,a\n2,b\n');
const scratch = join(folder, 'tmp');
mkdirSync(scratch);
execFileSync('mkfifo', ['one', 'other'], { cwd: folder });

const start = (command: string, args: readonly string[]) => {
  const env = { PATH: process.env['PATH'], TMPDIR: scratch };
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};
const diff = (...args: string[]) => start(process.execPath, [PROGRAMS.cli.path, 'diff', ...args]);

it('regression: a named pipe is opened once, because its writer does not come again', async () => {
  start('bash', ['-c', 'gzip -c old.csv > one']);
  const [code] = (await once(diff('old.csv', 'one'), 'close')) as [number];
  expect(code).toBe(0);
  expect(readdirSync(scratch)).toEqual([]);
});

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'regression: %s ends a comparison that waits for a named pipe, and its files are removed',
  async (signal) => {
    start('bash', ['-c', 'cat old.csv > one']);
    const child = diff('one', 'other');
    // When the first version is there, the second one is opened.
    await until('the first version is saved', () =>
      readdirSync(scratch, { recursive: true, encoding: 'utf8' }).some((name) => {
        const stats = statSync(join(scratch, name));
        return stats.isFile() && stats.size > 0;
      }),
    );
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([null, signal]);
    expect(readdirSync(scratch)).toEqual([]);
  },
);
