// An S3 server for bodies: the Versity gateway over a folder.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { awaitReady, startChild } from '../process/start-child.ts';
import type { Report } from '../process/steps.ts';
import type { Run } from '../start/run.ts';
import { keepRunning } from './keep-running.ts';
import { clusterProgram } from './programs.ts';

const BUCKET = 'recordwatch';
const REGION = 'us-east-1';
const ACCESS_KEY = 'recordwatch';
const PROBE_TIMEOUT_MS = 2_000;

/** @param secret of its one access key @returns the value of BLOB_STORE */
export async function startBlobStore(
  run: Run,
  { port, secret }: { port: number; secret: string },
  report: Report,
): Promise<string> {
  const program = await clusterProgram('versitygw', { report, signal: run.signal });
  report('starting it');
  const folder = run.home.file('blob-store');
  const data = join(folder, 'data');
  const sidecar = join(folder, 'metadata');
  // Each folder is a bucket.
  mkdirSync(join(data, BUCKET), { recursive: true });
  mkdirSync(sidecar, { recursive: true });
  const address = `127.0.0.1:${port}`;
  // Without a signature it refuses, which shows that it serves.
  const answers = (): Promise<boolean> =>
    fetch(`http://${address}/`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
      () => true,
      () => false,
    );
  await keepRunning(run, async (onStart) => {
    const child = await startChild({
      name: 'Blobs',
      command: program,
      args: ['--port', address, '--region', REGION, '--quiet', 'posix', '--sidecar', sidecar, data],
      env: { PATH: process.env['PATH'], ROOT_ACCESS_KEY: ACCESS_KEY, ROOT_SECRET_KEY: secret },
      logFile: run.home.logFile('blobs'),
    });
    onStart(child);
    await awaitReady(child, answers, {
      what: 'the S3 server answers',
      timeoutMs: 30_000,
      signal: run.signal,
    });
    return child;
  });
  return `s3://${ACCESS_KEY}:${secret}@${BUCKET}?endpoint=http://${address}&region=${REGION}`;
}
