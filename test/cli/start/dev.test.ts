// `npm run dev` with a real program: it is restarted on save, and a save with an error breaks nothing else.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readLogFrom } from '../../../cli/process/log-file.ts';
import { awaitReady, type Child, startChild } from '../../../cli/process/start-child.ts';
import { restartOnSave } from '../../../cli/start/dev.ts';
import { LIVENESS_MS, until } from '../../support/until.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';

const says = (word: string): string => `console.log('${word}'); setInterval(() => undefined, 1_000);\n`;

it('restarts a process when a file is saved, and after a broken save waits for the next one', async () => {
  const folder = temporaryFolder();
  const logFolder = temporaryFolder();
  const program = join(folder, 'program.ts');
  const children: Child[] = [];
  onTestFinished(async () => void (await Promise.all(children.map((child) => child.stop()))));
  const start = async (): Promise<Child> => {
    const logFile = join(logFolder, 'log');
    const args = [program];
    const child = await startChild({ name: 'Program', command: process.execPath, args, env: {}, logFile });
    children.push(child);
    const isReady = (): boolean => readLogFrom(logFile, child.logStart).includes('ready');
    await awaitReady(child, isReady, { what: 'it is ready', timeoutMs: LIVENESS_MS });
    return child;
  };
  const lines: string[] = [];
  const printed = (part: string) => until(part, () => lines.findIndex((line) => line.includes(part)) !== -1);

  writeFileSync(program, says('ready: first'));
  const first = await start();
  using watching = restartOnSave(first, {
    folders: [folder],
    name: 'Program',
    start,
    print: (line) => lines.push(line),
  });
  writeFileSync(program, says('ready: second'));
  await printed('✓ Program: restarted');
  expect(await first.ended).toBeUndefined();
  expect(readLogFrom(join(logFolder, 'log'), children.at(-1)?.logStart ?? 0)).toContain('second');

  writeFileSync(program, 'const = broken;\n');
  await printed('The next save starts it again.');
  expect(lines.join('\n')).toContain('const = broken;');
  lines.length = 0;

  writeFileSync(program, says('ready: repaired'));
  await printed('✓ Program: restarted');
  process.kill(-(children.at(-1)?.pid ?? 0), 'SIGKILL');
  await printed('Program ended unexpectedly (SIGKILL)');
  lines.length = 0;
  writeFileSync(program, says('ready: again'));
  await printed('✓ Program: restarted');
  watching[Symbol.dispose]();
});
