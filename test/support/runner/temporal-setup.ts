// Starts the Temporal server that tests share. Finds or builds it in the background, so tests that need none run at once; the
// others wait for it (test/support/servers/temporal.ts).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findTemporalServer } from '../../../cli/temporal/find-server.ts';
import { startTemporalServer } from '../../../cli/temporal/start-server.ts';
import { freePort } from '../servers/free-port.ts';
import { shareServer, type Started } from './shared-server.ts';

interface SharedTemporal {
  address: string;
  /** Written when the server serves (empty) or could not be started (the reason). */
  statusFile: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    temporal: SharedTemporal;
  }
}

const REPORT_EVERY_MS = 20_000;

/** Some sixty namespaces keep more than 220 MiB alive. */
const SOFT_HEAP_MIB = 1_024;

/** A deleted run waits until the server has noted that the run ended, by default for up to 30 s. */
const DYNAMIC_CONFIG = { 'history.transferProcessorUpdateAckInterval': '"1s"' } as const;

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { value, stop } = await shareServer('Temporal', startInBackground);
  project.provide('temporal', value);
  return stop;
}

async function startInBackground(): Promise<Started<SharedTemporal>> {
  const folder = mkdtempSync(join(tmpdir(), 'recordwatch-temporal-'));
  const statusFile = join(folder, 'status');
  const port = await freePort();
  const stopping = new AbortController();
  const starting = start(folder, port, stopping.signal).then(
    (server) => {
      writeFileSync(statusFile, '');
      return server;
    },
    (error: unknown) => writeFileSync(statusFile, String(error)),
  );
  return {
    value: { address: process.env['TEMPORAL_ADDRESS'] ?? `127.0.0.1:${port}`, statusFile },
    stop: async () => {
      stopping.abort();
      const server = await starting;
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(folder: string, port: number, signal: AbortSignal) {
  if (process.env['TEMPORAL_ADDRESS'] !== undefined) return undefined;
  const { path } = await findTemporalServer({ report: reportNowAndThen(), signal });
  return startTemporalServer({
    path,
    folder,
    port,
    signal,
    dynamicConfig: DYNAMIC_CONFIG,
    softHeapMiB: SOFT_HEAP_MIB,
  });
}

function reportNowAndThen(): (text: string) => void {
  let reportedAt = 0;
  return (text) => {
    if (Date.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = Date.now();
    process.stderr.write(`Temporal server: ${text}\n`);
  };
}
