// Versions that come through named pipes, and files that change meanwhile.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
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
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
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

/** Compares two files, and runs a command of bash after the first one was opened. */
async function diffWhile(command: string): Promise<{ code: number; stdout: string; stderr: string }> {
  // To open a pipe for writing waits until it is opened for reading, which comes second.
  const writer = start('bash', ['-c', `exec 3> one; ${command}; cat other.csv >&3`]);
  const child = diff('live.csv', 'one', '--format', 'csv');
  const closed = Promise.all([once(child, 'close'), once(writer, 'close')]);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [[code]] = (await closed) as [[number], unknown];
  return { code, stdout, stderr };
}

describe('regression: a file that another program writes meanwhile', () => {
  beforeEach(() => {
    writeFileSync(join(folder, 'live.csv'), 'id,v\n1,a\n2,b\n');
    writeFileSync(join(folder, 'next.csv'), 'id,v\n2,c\n3,d\n');
    writeFileSync(join(folder, 'other.csv'), 'id,v\n1,a\n2,x\n');
  });

  it('is compared as it was when it is replaced', async () => {
    expect(await diffWhile('mv next.csv live.csv')).toEqual({
      code: 1,
      stdout: 'change_type,row,key,id,v\nchanged,before,2,2,b\nchanged,after,2,2,x\n',
      stderr: '',
    });
  });

  it.each(['cat next.csv > live.csv', 'echo 3,c >> live.csv'])('is refused after %j', async (command) => {
    expect(await diffWhile(command)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'recordwatch: live.csv: It changed while it was read.\n',
    });
  });
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
