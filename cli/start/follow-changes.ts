// After the ready screen: one line for each check that found something, with the webhook's outcome.
import type { Arrival, DemoReceiver } from '../../demo/receiver.ts';
import { waitFor } from '../process/wait-for.ts';
import type { ApiClient } from './api-client.ts';

export interface FollowOptions {
  api: ApiClient;
  sourceId: string;
  receiver: Pick<DemoReceiver, 'arrivals'>;
  print: (line: string) => void;
  signal: AbortSignal;
  /** How often to ask when no webhook arrives. */
  intervalMs?: number;
}

/** The fields of a delta event that a line shows. */
export interface FoundChange {
  id: string;
  number: number;
  detectedAt: string;
  newCount: number;
  changedCount: number;
  deletedCount: number;
  unchangedCount: number;
}

/** How long a line waits for the webhook before it says that nothing came. */
const WEBHOOK_PATIENCE_MS = 10_000;
const LOOK_MS = 250;

/** Prints the changes that are found from now on, until the signal. */
export async function followChanges(options: FollowOptions): Promise<void> {
  const { signal, intervalMs = 5_000 } = options;
  let last = await newest(options).catch(() => undefined);
  while (!signal.aborted) {
    await arrivalOr(intervalMs, options);
    // The API may be down for a moment; the next round finds what this one missed.
    last = await printNew(options, last).catch(() => last);
  }
}

/** Waits for the next arrival, or until the time is up. An arrival shows a change sooner than polling. */
async function arrivalOr(timeoutMs: number, { receiver, signal }: FollowOptions): Promise<void> {
  const before = receiver.arrivals.at(-1);
  const hasArrived = () => receiver.arrivals.at(-1) !== before || undefined;
  await waitFor(hasArrived, { what: 'a webhook arrives', timeoutMs, intervalMs: LOOK_MS, signal }).catch(
    () => undefined,
  );
}

async function newest({ api, sourceId }: FollowOptions): Promise<string | undefined> {
  const { events } = await api.call('GET', `/v1/sources/${sourceId}/delta?limit=1`);
  return asChanges(events)[0]?.id;
}

/** Prints changes whose webhook has arrived or is overdue, in order. @returns the id of the last event that was printed */
async function printNew(options: FollowOptions, last: string | undefined): Promise<string | undefined> {
  const { api, sourceId, receiver, print } = options;
  const since = last === undefined ? '' : `&since=${last}`;
  const answer = await api.call(
    'GET',
    `/v1/sources/${sourceId}/delta?changesOnly=true&order=asc&limit=50${since}`,
  );
  let printed = last;
  for (const change of asChanges(answer['events'])) {
    const arrival = receiver.arrivals.findLast(({ payload }) => payload?.['deltaEventId'] === change.id);
    const isOverdue = Date.now() - Date.parse(change.detectedAt) > WEBHOOK_PATIENCE_MS;
    if (arrival === undefined && !isOverdue) break;
    print(changeLine(change, arrival));
    printed = change.id;
  }
  return printed;
}

/** One check's finding as a line of text. */
export function changeLine(change: FoundChange, arrival: Arrival | undefined): string {
  const time = new Date(change.detectedAt).toLocaleTimeString('en-GB');
  const { newCount, changedCount, deletedCount, unchangedCount } = change;
  const counts = `${newCount} new, ${changedCount} changed, ${deletedCount} deleted, ${unchangedCount} unchanged`;
  return `${time}  check ${change.number}: ${counts} · ${webhookOutcome(change, arrival)}`;
}

function webhookOutcome(change: FoundChange, arrival: Arrival | undefined): string {
  if (arrival === undefined) return `webhook has not arrived within ${WEBHOOK_PATIENCE_MS / 1000} s`;
  if (!arrival.isVerified) return `webhook arrived with a bad signature`;
  const afterMs = Math.max(0, arrival.receivedAt.getTime() - Date.parse(change.detectedAt));
  return `webhook delivered, signature valid, ${afterMs} ms after`;
}

/** The API's contract: an array of delta events. */
const asChanges = (events: unknown): FoundChange[] =>
  Array.isArray(events) ? (events as FoundChange[]) : [];
