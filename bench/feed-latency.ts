// Measures the time from a check's commit to the answer of a long poll of the feed, and beside it to a program that listens on
// the database itself and reads the event from there.
import pg from 'pg';
import type { System } from './system.ts';

/** Milliseconds from commit, in the order of arrival. */
export interface FeedLatencies {
  polledMs: number[];
  bareMs: number[];
}

export interface FeedReaders {
  latencies: FeedLatencies;
  stop: () => Promise<void>;
}

/** By the clock of this machine, which the database uses too. */
const sinceMs = (time: Date): number => performance.timeOrigin + performance.now() - time.getTime();

/** Reads what happens from now on in both ways, until it is stopped. */
export async function startFeedReaders(system: System): Promise<FeedReaders> {
  const latencies: FeedLatencies = { polledMs: [], bareMs: [] };
  const listener = await listen(system, latencies.bareMs);
  const ending = new AbortController();
  const polling = poll(system, latencies.polledMs, ending.signal);
  return {
    latencies,
    stop: async () => {
      ending.abort();
      await polling;
      await listener.end();
    },
  };
}

interface Page {
  events: { detectedAt: string }[];
  nextCursor: string;
}

async function poll({ dev }: System, polledMs: number[], signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${dev.apiKey}`, prefer: 'wait=30' };
  let since = 'now';
  while (!signal.aborted) {
    const url = `${dev.baseUrl}/v1/events?type=delta&since=${since}`;
    // The first call only finds the position.
    const call = fetch(url, {
      headers: since === 'now' ? { ...headers, prefer: 'wait=0' } : headers,
      signal,
    });
    const answer = await call.catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (answer === undefined) return;
    // The interface's answer.
    const { events, nextCursor } = (await answer.json()) as Page;
    polledMs.push(...events.map(({ detectedAt }) => sinceMs(new Date(detectedAt))));
    since = nextCursor;
  }
}

async function listen({ dev }: System, bareMs: number[]): Promise<pg.Client> {
  const client = new pg.Client(dev.databaseUrl);
  await client.connect();
  const last = await client.query<{ position: string }>('select max(position) as position from feeds');
  let position = last.rows[0]?.position ?? '0';
  const readOn = async (): Promise<void> => {
    const text =
      "select position, happened_at as time from feed_events where type = 'delta' and position > $1 order by position";
    const values = [position];
    const { rows } = await client.query<{ position: string; time: Date }>({ name: 'events', text, values });
    // Of two reads at the same time, only one counts an event.
    const fresh = rows.filter((row) => BigInt(row.position) > BigInt(position));
    bareMs.push(...fresh.map(({ time }) => sinceMs(time)));
    position = fresh.at(-1)?.position ?? position;
  };
  client.on('notification', () => void readOn());
  await client.query('listen feed_grew');
  return client;
}
