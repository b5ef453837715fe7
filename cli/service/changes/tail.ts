// Prints the events of the feed as they come, until it is stopped.
import { GoneError, isForeign, NotFoundError } from '../../../clients/typescript/src/errors.ts';
import { pastProxies } from '../../../clients/typescript/src/http/retry.ts';
import type { DeltaRow, FeedEvent, WatchedRecord } from '../../../clients/typescript/src/models.ts';
import type { Recordwatch } from '../../../clients/typescript/src/recordwatch.ts';
import { safeText } from '../../../core/text/safe-text.ts';
import { type ColorChoice, createPaint } from '../../diff/paint.ts';
import { connect } from '../access/connect.ts';
import { ENDLESS } from '../calls/open-client.ts';
import { jsonLine, say } from '../output/answers.ts';
import { eventLine, rowLines, type ShownRows } from './event-words.ts';
import type { FeedType } from './feed-types.ts';
import { follow, untilInterrupted } from './follow.ts';

export interface TailOptions {
  since: string;
  type: FeedType[];
  label: string[];
  condition?: string;
  maxRows: number;
  color: ColorChoice;
  json?: true;
}

export async function tail(reference: string | undefined, options: TailOptions): Promise<void> {
  const { since, type: types, label: labels, condition, json } = options;
  const signal = untilInterrupted();
  try {
    const record = reference === undefined ? undefined : await connect().records.get(reference, { signal });
    const client = connect(ENDLESS);
    const records = record === undefined ? [] : [record];
    const choice = { since, records, types, labels, condition };
    const onReady = (): void =>
      console.error(`Waiting for changes of ${safeText(record?.slug ?? 'all records')}.`);
    for await (const event of follow(client, choice, onReady, signal)) {
      await say(json ? jsonLine(event) : await words(client, event, options, signal));
    }
  } catch (error) {
    // Ended while it read the record, or the rows of an event, which is not printed.
    if (!signal.aborted) throw error;
  }
}

async function words(
  client: Recordwatch,
  event: FeedEvent,
  { maxRows, color }: TailOptions,
  signal: AbortSignal,
): Promise<string> {
  const paint = createPaint(color);
  const line = eventLine(event, paint);
  const { deltaEventId, sourceId, summary } = event;
  if (deltaEventId === null || summary === undefined || maxRows === 0) return line;
  const total = summary.newCount + summary.changedCount + summary.deletedCount;
  const shown = await readRows(client, { sourceId, deltaEventId, total }, maxRows, signal);
  return [line, ...rowLines(shown, paint)].join('\n');
}

const MOST_ROWS = 5_000;
const NO_ROWS: ShownRows = { rows: [], total: 0, keyFields: [] };

/** The first rows of a change; none when they are no longer stored. */
async function readRows(
  client: Recordwatch,
  { sourceId, deltaEventId, total }: { sourceId: string; deltaEventId: string; total: number },
  maxRows: number,
  signal: AbortSignal,
): Promise<ShownRows> {
  const options = { signal };
  const query = { limit: Math.min(maxRows, MOST_ROWS) };
  try {
    const read = (): Promise<[{ items: readonly DeltaRow[] }, WatchedRecord]> =>
      Promise.all([
        client.changes.rows(sourceId, deltaEventId, query, options).page(),
        client.records.get(sourceId, options),
      ]);
    const [{ items: rows }, { keyFields }] = await pastProxies(read, signal);
    return { rows, total, keyFields: keyFields ?? [] };
  } catch (error) {
    const isGone = error instanceof NotFoundError || error instanceof GoneError;
    if (isGone && !isForeign(error)) return NO_ROWS;
    throw error;
  }
}
