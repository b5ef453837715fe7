// Fetches the vendor's release of the Temporal server.
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { runStep } from '../process/run-step.ts';
import type { ObtainOptions } from '../programs/build.ts';
import { askVersion, TEMPORAL_VERSION } from './release.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const DEFAULT_ORIGIN = 'https://temporal.download';

/**
 * Downloads and unpacks the release. The vendor publishes no hashes beside it, so what came over TLS is checked
 * by running it: it must say the version that was asked for. Its hash is recorded when it enters the cache.
 * @returns the path of the program
 * @throws Error when the vendor cannot be reached or the program is not what was asked for
 */
export async function downloadServer(options: ObtainOptions, origin = DEFAULT_ORIGIN): Promise<string> {
  const { workFolder, report, signal } = options;
  const body = await open(origin, signal);
  mkdirSync(workFolder, { recursive: true });
  await runStep('tar', ['-xf', '-', 'temporal'], {
    cwd: workFolder,
    // Unpacked here, because tar would call gzip, which small systems lack.
    input: pipeline(withProgress(body, report), createGunzip(), () => undefined),
    signal,
  });
  const path = join(workFolder, 'temporal');
  chmodSync(path, 0o755);
  const version = await askVersion(path);
  if (version === TEMPORAL_VERSION) return path;
  rmSync(path, { force: true });
  throw new Error(`the download says version ${version ?? 'nothing'}, wanted ${TEMPORAL_VERSION}`);
}

async function open(origin: string, signal: AbortSignal | undefined): Promise<Response> {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const url = `${origin}/cli/archive/v${TEMPORAL_VERSION}?platform=${process.platform}&arch=${arch}`;
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new Error('no answer')), CONNECT_TIMEOUT_MS);
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([abort.signal, ...(signal ? [signal] : [])]) });
    if (!answer.ok) throw new Error(`${origin} answered ${answer.status}`);
    return answer;
  } finally {
    clearTimeout(timer);
  }
}

function withProgress(answer: Response, report: (text: string) => void): Readable {
  const total = Number(answer.headers.get('content-length') ?? 0);
  let received = 0;
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
  // The two declarations of the same stream, in the DOM's types and in Node's, do not know each other.
  const body = answer.body as ReadableStream<Uint8Array> | null;
  return Readable.fromWeb(body ?? new ReadableStream()).on('data', (chunk: Uint8Array) => {
    received += chunk.length;
    report(`downloading: ${megabytes(received)} of ${total > 0 ? megabytes(total) : '?'} MB`);
  });
}
