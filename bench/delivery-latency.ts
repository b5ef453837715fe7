// Measures the time from a check's commit to the arrival of its webhook, and to readers of the feed, with records that change at
// a modest rate.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from '../demo/http-server.ts';
import { waitFor } from '../cli/process/wait-for.ts';
import { type FeedLatencies, startFeedReaders } from './feed-latency.ts';
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

export interface LatencyResult extends FeedLatencies {
  webhookMs: number[];
}

/**
 * From `detectedAt`, which the database's clock gives inside the transaction that commits the check, to the
 * whole request's arrival by the clock of the same machine. As many as there are records are left out at first.
 * @returns milliseconds, one for each of so many changes, and the same for the readers of the feed
 */
export async function measureDeliveryLatency(
  system: System,
  origin: BenchOrigin,
  changes: number,
): Promise<LatencyResult> {
  origin.serve('changing');
  const sink = await startSink();
  const { latencies, stop } = await startFeedReaders(system);
  const records = await Promise.all(
    Array.from({ length: RECORDS }, (_, index) => watch(system, origin, sink, index)),
  );
  const wanted = RECORDS + changes;
  const all = [sink.latenciesMs, latencies.polledMs, latencies.bareMs];
  await waitFor(() => all.every(({ length }) => length >= wanted) || undefined, {
    what: `${wanted} webhooks and events have arrived`,
    timeoutMs: (wanted / RECORDS) * SECONDS_BETWEEN_CHECKS * 3_000 + 30_000,
  });
  await Promise.all(records.map((id) => system.api.call('DELETE', `/v1/sources/${id}`)));
  await stop();
  await sink.close();
  const [webhookMs = [], polledMs = [], bareMs = []] = all.map((each) => each.slice(RECORDS, wanted));
  return { webhookMs, polledMs, bareMs };
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
