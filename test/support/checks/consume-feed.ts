// Consumes the feed of an account as a user's program does. It writes each event and the place after it as one line of a journal,
// and after a restart continues after the last whole line. So it may be killed at any moment.
import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import { Recordwatch } from '../../../clients/typescript/src/main.ts';
import type { ConsumedEvent, JournalLine } from './feed-consumer.ts';

const { FEED_URL = '', API_KEY = '', JOURNAL = '' } = process.env;

let handled: ConsumedEvent | null = null;

const store = {
  load(): string | undefined {
    const text = readFileSync(JOURNAL, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    // What a killed process wrote in part.
    truncateSync(JOURNAL, Buffer.byteLength(whole));
    const last = whole.trimEnd().split('\n').at(-1) ?? '';
    return last === '' ? undefined : (JSON.parse(last) as JournalLine).place;
  },
  save(place: string): void {
    appendFileSync(JOURNAL, `${JSON.stringify({ place, event: handled } satisfies JournalLine)}\n`);
    handled = null;
  },
  clear: (): void => truncateSync(JOURNAL),
};

const client = new Recordwatch({ baseUrl: FEED_URL, apiKey: API_KEY });
// Small pages, so that many are cut.
for await (const event of client.events.follow({ store, limit: 7, waitSeconds: 5 })) {
  const { type, sourceId, deltaEventId, checkId = null } = event;
  handled = { type, sourceId, deltaEventId, checkId };
}
