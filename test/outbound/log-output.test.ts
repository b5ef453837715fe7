// Log output to devices that refuse it: /dev/full has no space left, and a pipe may have no reader.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, symlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../cli/process/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Runs a program of ours with this standard output. @returns what it wrote to standard error */
async function run(code: string, output: 'pipe' | number): Promise<{ code: number; said: string }> {
  const imports = `import { openStandardOutput, takeOverConsole, openLogOutput } from '${ROOT}/outbound/log-output.ts';
    import { createLog } from '${ROOT}/worker/log.ts'; import * as fs from 'node:fs';`;
  const args = ['--input-type=module-typescript', '--eval', `${imports}\n${code}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', output, 'pipe'] });
  // Standard error is a pipe, as told.
  const complaints = child.stdio[2] as Readable;
  child.stdout?.destroy();
  const [said, [exitCode]] = await Promise.all([text(complaints), once(child, 'exit')]);
  return { code: Number(exitCode), said };
}

/** A program that logs, continues and ends. */
const LOGS = `const log = createLog('info'); let n = 0;
  const timer = setInterval(() => { log.warn({ n }, 'line'); n += 1;
    if (n === 20) { clearInterval(timer); fs.writeSync(2, 'went on'); } }, 5);`;

describe('regression: standard output that accepts nothing', () => {
  it('on a full disk blocks neither the program nor its exit', async () => {
    const full = openSync('/dev/full', 'w');
    expect(await run(LOGS, full)).toEqual({ code: 0, said: 'went on' });
    closeSync(full);
  });

  it('whose reader has closed the pipe blocks nothing', async () => {
    expect(await run(LOGS, 'pipe')).toEqual({ code: 0, said: 'went on' });
  });
});

it('the number of dropped lines is logged when there is space again', async () => {
  const folder = temporaryFolder();
  const [full, file] = [join(folder, 'log'), join(folder, 'file')];
  symlinkSync('/dev/full', full);
  const { code, said } = await run(
    `const full = fs.openSync('${full}', 'w'), file = fs.openSync('${file}', 'w');
     let fd = full;
     const output = openLogOutput({ get fd() { return fd; }, tellOfLoss: (n) => JSON.stringify({ dropped: n }) + '\\n' });
     let n = 0;
     const timer = setInterval(() => {
       if (n === 5) fd = file;
       output.write(JSON.stringify({ n }) + '\\n'); n += 1;
       if (n === 10) { clearInterval(timer); setTimeout(() => output.flush(), 300); }
     }, 20);`,
    'pipe',
  );
  expect({ code, said }).toEqual({ code: 0, said: '' });
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(lines).toEqual([{ dropped: 5 }, ...[5, 6, 7, 8, 9].map((n) => ({ n }))]);
  rmSync(folder, { recursive: true, force: true });
});

it('output of libraries and warnings of Node become log lines', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'out');
  const fd = openSync(file, 'w');
  const { said } = await run(
    `takeOverConsole(createLog('info')); console.error(new Error('printed\\nin lines')); console.log('%s!', 'said');
     process.emitWarning('warned', 'SampleWarning');`,
    fd,
  );
  closeSync(fd);
  expect(said).toBe('');
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string });
  expect(lines.map(({ msg }) => msg.split('\n')[0])).toEqual(['Error: printed', 'said!', 'warned']);
});
