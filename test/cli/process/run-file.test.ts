// Recovery: a run ends the processes that a killed run left behind, and no others.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { processStart } from '../../../cli/process/process-identity.ts';
import { endLeftovers, openRunFile } from '../../../cli/process/run-file.ts';
import { runNode } from './run-node.ts';
import { temporaryFolder } from './temporary-folder.ts';

const RUN = `
  import { openRunFile } from '../../../cli/process/run-file.ts';
  import { startChild } from '../../../cli/process/start-child.ts';
  const notes = openRunFile(process.env.FOLDER + '/run.json');
  for (const name of ['one', 'two']) {
    const args = ['--eval', 'require("child_process").spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"]); setInterval(() => {}, 1000)'];
    const child = await startChild({ name, command: process.execPath, args, env: process.env, logFile: process.env.FOLDER + '/log' });
    notes.add(child);
    console.log(name + ' ' + child.pid);
  }
  setInterval(() => {}, 1000);
`;

test('the children of a killed run are ended, and its file is removed', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'run.json');
  const run = runNode(RUN, import.meta.url, { FOLDER: folder });
  const pids = [await run.says('one '), await run.says('two ')].map((line) => Number(line.split(' ')[1]));
  await run.kill();
  expect(pids.every((pid) => processStart(pid) !== undefined)).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await endLeftovers(file)).toEqual(['one', 'two']);
  expect(pids.map(processStart)).toEqual([undefined, undefined]);
  expect(existsSync(file)).toBe(false);
  expect(await endLeftovers(file)).toEqual([]);
});

test('a later process with the same id is left alone', async () => {
  const file = join(temporaryFolder(), 'run.json');
  const stranger = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { detached: true });
  onTestFinished(() => void stranger.kill('SIGKILL'));
  const pid = stranger.pid ?? 0;
  openRunFile(file).add({ name: 'stranger', pid, end: {} });
  const start = processStart(pid) ?? '';
  writeFileSync(file, readFileSync(file, 'utf8').replace(start, `${start}0`));
  expect(await endLeftovers(file)).toEqual([]);
  expect(processStart(pid)).toBe(start);
});

test('an unreadable file is ignored', async () => {
  const file = join(temporaryFolder(), 'run.json');
  writeFileSync(file, '[{"na');
  expect(await endLeftovers(file)).toEqual([]);
});
