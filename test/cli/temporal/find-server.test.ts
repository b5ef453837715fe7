// Finds the Temporal server: the order of the sources, the hash of the cache, two processes at once, and no source at all.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../cli/process/wait-for.ts';
import { findTemporalServer } from '../../../cli/temporal/find-server.ts';
import { LIVENESS_MS } from '../../support/until.ts';
import { runNode } from '../process/run-node.ts';
import { fakeMachine, type FakeMachine } from './fake-programs.ts';

const FIND = `
  import { findTemporalServer } from '../../../cli/temporal/find-server.ts';
  const report = (text) => console.log('report ' + text);
  const found = await findTemporalServer({ ...JSON.parse(process.env.OPTIONS), report });
  console.log('found ' + found.path);
`;

/** Finds a server and records the reports. */
async function find(machine: FakeMachine) {
  const reports: string[] = [];
  const found = await findTemporalServer({ ...machine.options, report: (text) => void reports.push(text) });
  return { ...found, reports };
}

const inOtherProcess = ({ options }: FakeMachine) =>
  runNode(FIND, import.meta.url, { OPTIONS: JSON.stringify(options) });

test('a recent temporal on PATH is used, and an older one before it is skipped', async () => {
  const machine = fakeMachine();
  machine.addGo('builds');
  const old = machine.addTemporal('1.5.1');
  const fresh = machine.addTemporal('1.10.0');
  const { path, version, reports } = await find(machine);
  expect({ path, version }).toEqual({ path: fresh, version: '1.10.0' });
  expect(reports.join('\n')).toContain(`${old} is passed over: version 1.5.1`);
  expect(machine.builds()).toBe(0);
});

test('a built server comes from the cache afterwards, and building shows progress', async () => {
  const machine = fakeMachine();
  machine.addGo('builds');
  const { path, version, reports } = await find(machine);
  expect(version).toBe('1.8.2');
  expect(path.startsWith(machine.options.cache)).toBe(true);
  expect(reports).toContain('compiling: 2 of at most 3 packages');
  expect(reports).toContain('fetching Go modules: 1 so far');
  expect((await find(machine)).path).toBe(path);
  expect(machine.builds()).toBe(1);
});

test('an altered cached server is built again', async () => {
  const machine = fakeMachine();
  machine.addGo('builds');
  const { path } = await find(machine);
  appendFileSync(path, '// altered');
  const { reports } = await find(machine);
  expect(reports.join('\n')).toContain('does not match its recorded hash');
  expect(machine.builds()).toBe(2);
});

test('another go.sum means another server', async () => {
  const machine = fakeMachine();
  machine.addGo('builds');
  const { path } = await find(machine);
  writeFileSync(join(machine.options.moduleFolder, 'go.sum'), 'other sums');
  expect((await find(machine)).path).not.toBe(path);
  expect(machine.builds()).toBe(2);
});

test('the vendor’s release is preferred over building', async () => {
  const machine = fakeMachine();
  machine.addGo('builds');
  await machine.serveDownload('1.8.2');
  expect((await find(machine)).version).toBe('1.8.2');
  expect(machine.builds()).toBe(0);
});

test('a download with another checksum is refused, and the server is built', async () => {
  const machine = fakeMachine();
  machine.addGo('builds');
  await machine.serveDownload('1.8.1');
  await find(machine);
  expect(machine.builds()).toBe(1);
});

test('if nothing works, the error says why and what to install', async () => {
  const machine = fakeMachine();
  await expect(find(machine)).rejects.toThrow(
    /no Go on PATH[^]*brew install temporal[^]*go\.dev\/dl[^]*TEMPORAL_ADDRESS/,
  );
  machine.addGo('fails');
  await expect(find(machine)).rejects.toThrow('go: no such module');
  expect(existsSync(machine.options.cache) && machine.builds() > 0).toBe(false);
});

test('two processes build it once; the second waits and says so', async () => {
  const machine = fakeMachine();
  machine.addGo('waits');
  const first = inOtherProcess(machine);
  await waitFor(() => machine.builds() === 1 || undefined, {
    what: 'a build is on its way',
    timeoutMs: LIVENESS_MS,
  });
  const second = inOtherProcess(machine);
  await second.says('another process is making it');
  machine.letGoOn();
  expect(await second.says('found')).toBe(await first.says('found'));
  expect(machine.builds()).toBe(1);
});

test('when the building process is killed, the waiting one takes over', async () => {
  const machine = fakeMachine();
  machine.addGo('waits');
  const first = inOtherProcess(machine);
  await waitFor(() => machine.builds() === 1 || undefined, {
    what: 'a build is on its way',
    timeoutMs: LIVENESS_MS,
  });
  const second = inOtherProcess(machine);
  await second.says('another process is making it');
  await first.kill();
  await waitFor(() => machine.builds() === 2 || undefined, {
    what: 'a second build',
    timeoutMs: LIVENESS_MS,
  });
  machine.letGoOn();
  expect(await second.says('found')).toContain(machine.options.cache);
});

test('a requested exit stops the build', async () => {
  const machine = fakeMachine();
  machine.addGo('waits');
  const abort = new AbortController();
  const finding = findTemporalServer({ ...machine.options, signal: abort.signal });
  const failure = finding.catch((error: unknown) => error);
  await waitFor(() => machine.builds() === 1 || undefined, {
    what: 'a build is on its way',
    timeoutMs: LIVENESS_MS,
  });
  abort.abort(new Error('asked to end'));
  expect(await failure).toEqual(new Error('asked to end'));
});
