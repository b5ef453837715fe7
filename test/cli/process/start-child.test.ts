// Child processes: the report when one dies, and that ending one also ends its descendants.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readLogFrom } from '../../../cli/process/log-file.ts';
import { processStart } from '../../../cli/process/process-identity.ts';
import { awaitReady, startChild, type Child } from '../../../cli/process/start-child.ts';
import { waitFor } from '../../../cli/process/wait-for.ts';
import { LIVENESS_MS } from '../../support/until.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Starts Node on a piece of code. */
async function child(code: string, graceMs = 5_000): Promise<Child> {
  const started = await startChild({
    name: 'Sample',
    command: process.execPath,
    args: ['--eval', code],
    env: process.env,
    logFile: join(temporaryFolder(), 'logs', 'sample.log'),
    end: { graceMs },
  });
  onTestFinished(started.stop);
  return started;
}

const firstLine = (started: Child) =>
  waitFor(() => /^(.*)\n/.exec(readLogFrom(started.logFile, 0))?.[1], {
    what: 'it speaks',
    timeoutMs: LIVENESS_MS,
  });

test('a child that exits by itself is reported with its log file and the last lines', async () => {
  const { ended, logFile } = await child(
    `console.log('first'); console.error('cannot continue'); process.exit(3)`,
  );
  const error = await ended;
  expect(error?.message).toMatch(/^Sample ended unexpectedly \(exit code 3\)/);
  expect(error?.message).toContain(logFile);
  expect(error?.message).toContain('cannot continue');
});

test('a child that is asked to exit ends without an error', async () => {
  const started = await child(`setInterval(() => {}, 1000); console.log('up')`);
  await firstLine(started);
  await started.stop();
  expect(await started.ended).toBeUndefined();
  expect(processStart(started.pid)).toBeUndefined();
});

test.each([
  ['ends at once', ''],
  ['ignores the signal', `process.on('SIGTERM', () => {});`],
])('a child that %s ends its own stubborn child too', async (_, onSignal) => {
  const stubborn = `process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000)`;
  const started = await child(
    `${onSignal} setInterval(() => {}, 1000);
     require('child_process').spawn(process.execPath, ['--eval', ${JSON.stringify(stubborn)}], { stdio: 'inherit' })`,
    200,
  );
  const inner = Number(await firstLine(started));
  expect(processStart(inner)).toBeDefined();
  await started.stop();
  const isGone = () => processStart(inner) === undefined || undefined;
  expect(await waitFor(isGone, { what: 'the grandchild is gone', timeoutMs: LIVENESS_MS })).toBe(true);
});

test('a program that does not exist is an error with its name', async () => {
  const options = { name: 'Sample', args: [], env: {}, logFile: join(temporaryFolder(), 'a.log') };
  await expect(startChild({ ...options, command: '/does/not/exist' })).rejects.toThrow(
    'Sample cannot be started',
  );
});

test('waiting for a child ends when it exits, with its output, and when the time is up', async () => {
  const dying = await child(`console.log('no database'); process.exit(1)`);
  const options = { what: 'it is ready', timeoutMs: LIVENESS_MS };
  await expect(awaitReady(dying, () => false, options)).rejects.toThrow('no database');
  const slow = await child(`setInterval(() => {}, 1000)`);
  await expect(awaitReady(slow, () => false, { ...options, timeoutMs: 0 })).rejects.toThrow(
    'until it is ready',
  );
  expect(processStart(slow.pid)).toBeUndefined();
});
