// Requests at full speed over 32 connections.
import autocannon from 'autocannon';

export interface Load {
  requests: number;
  requestsPerSecond: number;
  p99Ms: number;
}

const CONNECTIONS = 32;

export interface Call {
  path: string;
  headers: Record<string, string>;
}

/** Calls in turn. @throws Error when one is not answered with 200 */
export async function load(baseUrl: string, calls: readonly Call[], seconds: number): Promise<Load> {
  const result = await autocannon({
    url: baseUrl,
    connections: CONNECTIONS,
    duration: seconds,
    requests: calls.map((call) => ({ ...call, method: 'GET' })),
  });
  const { errors, timeouts, non2xx, latency, requests, duration } = result;
  if (errors + timeouts + non2xx > 0) {
    throw new Error(`${non2xx} answers other than 2xx, ${errors} errors, ${timeouts} timeouts`);
  }
  return { requests: requests.total, requestsPerSecond: requests.total / duration, p99Ms: latency.p99 };
}
