// Callers of an API: reads and writes at a steady rate, each of which has to succeed, and whose promises have to be kept.
import { setTimeout } from 'node:timers/promises';
import { type Call, CALL_DEADLINE_MS } from '../support/plain-call.ts';

export interface Load {
  /** Sent so far. */
  sent: () => number;
  /** Requests that did not succeed, in words. */
  failures: string[];
  /** Ids of records that the API created, and of checks that it promised. */
  created: string[];
  promised: string[];
  /** Comes back when every request is answered. */
  stop: () => Promise<void>;
}

const PER_SECOND = 10;

/** Sends a request again that the API was too busy for, as the client packages do. */
export const patiently =
  (call: Call): Call =>
  async (...request) => {
    for (const deadline = Date.now() + CALL_DEADLINE_MS; ;) {
      const answer = await call(...request);
      const retryAfter = answer.headers.get('retry-after');
      if (answer.status !== 503 || retryAfter === null || Date.now() > deadline) return answer;
      await setTimeout(Number(retryAfter) * 1_000);
    }
  };

/** @param ids of records that exist @param url of a table that never changes */
export function startLoad(call: Call, ids: readonly string[], url: string): Load {
  const failures: string[] = [];
  const created: string[] = [];
  const promised: string[] = [];
  const sending = new Set<Promise<void>>();
  let sent = 0;
  const some = (from: readonly string[]): string => from[sent % from.length] ?? '';
  const calls: readonly (() => [string, string, unknown?])[] = [
    () => ['GET', `/v1/sources/${some(ids)}`],
    () => ['PATCH', `/v1/sources/${some(ids)}`, { name: `Name ${sent}` }],
    () => ['GET', '/v1/sources?limit=20'],
    () => ['GET', `/v1/sources/${some(ids)}/delta?limit=5`],
    () => ['POST', `/v1/sources/${some(ids)}/check`],
    () => ['GET', `/v1/sources/${some(ids)}/checks?limit=5`],
    () => ['POST', '/v1/sources', { url, slug: `load-${sent}`, checkIntervalMinutes: 1_000 }],
  ];
  const send = async (): Promise<void> => {
    const [method, path, body] = calls[sent % calls.length]?.() ?? ['GET', '/v1/sources'];
    sent += 1;
    const at = new Date().toISOString();
    try {
      const answer = await call(method, path, body);
      if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
      if (path.endsWith('/check')) promised.push(String(answer.body['id']));
      else if (method === 'POST') created.push(String(answer.body['id']));
    } catch (error) {
      failures.push(`${at} ${method} ${path}: ${String(error)}`);
    }
  };
  const timer = setInterval(() => {
    const sent = send();
    sending.add(sent);
    void sent.finally(() => sending.delete(sent));
  }, 1_000 / PER_SECOND);
  return {
    sent: () => sent,
    failures,
    created,
    promised,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(sending);
    },
  };
}
