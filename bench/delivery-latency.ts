// Measures the time from a check's commit to the arrival of its webhook, with records that change at a modest rate.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from '../demo/http-server.ts';
import { waitFor } from '../cli/process/wait-for.ts';
import type { BenchOrigin } from './origin.ts';
import type { System } from './system.ts';

const RECORDS = 20;
const SECONDS_BETWEEN_CHECKS = 5;

interface Sink {
  url: string;
  /** In the order of arrival. */
  latenciesMs: number[];
  close: () => Promise<void>;
}

/**
 * From `detectedAt`, which the database's clock gives inside the transaction that commits the check, to the
 * whole request's arrival by the clock of the same machine. The first delivery of each record is left out.
 * @returns milliseconds, one for each of so many changes
 */
export async function measureDeliveryLatency(
  system: System,
  origin: BenchOrigin,
  changes: number,
): Promise<number[]> {
  origin.serve('changing');
  const sink = await startSink();
  const records = await Promise.all(
    Array.from({ length: RECORDS }, (_, index) => watch(system, origin, sink, index)),
  );
  const wanted = RECORDS + changes;
  await waitFor(() => sink.latenciesMs.length >= wanted || undefined, {
    what: `${wanted} webhooks have arrived`,
    timeoutMs: (wanted / RECORDS) * SECONDS_BETWEEN_CHECKS * 3_000 + 30_000,
  });
  await Promise.all(records.map((id) => system.api.call('DELETE', `/v1/sources/${id}`)));
  await sink.close();
  return sink.latenciesMs.slice(RECORDS, wanted);
}

async function watch({ api }: System, origin: BenchOrigin, sink: Sink, index: number): Promise<string> {
  const record = await api.call('POST', '/v1/sources', {
    url: `${origin.url}/changing/${index}`,
    checkIntervalMinutes: SECONDS_BETWEEN_CHECKS / 60,
  });
  const id = String(record['id']);
  await api.call('POST', `/v1/sources/${id}/webhooks`, { url: sink.url });
  return id;
}

async function startSink(): Promise<Sink> {
  const latenciesMs: number[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const arrivedAtMs = performance.timeOrigin + performance.now();
    // The interface's payload.
    const { detectedAt }: { detectedAt: string } = JSON.parse(body);
    latenciesMs.push(arrivedAtMs - Date.parse(detectedAt));
    response.writeHead(204).end();
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  const port = await listen(server, 0);
  return { url: `http://127.0.0.1:${port}/hook`, latenciesMs, close: () => close(server) };
}
