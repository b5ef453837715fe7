// Follows the feed, prints the id of each event, and hangs while it handles the second if it is told to.
import { FilePlaceStore } from '../../../../../clients/typescript/src/feed/file-place-store.ts';
import { Recordwatch } from '../../../../../clients/typescript/src/main.ts';

const { BASE_URL = '', API_KEY = '', PLACE = '', RECORD = '', MODE } = process.env;

const client = new Recordwatch({ baseUrl: BASE_URL, apiKey: API_KEY });
let count = 0;
for await (const event of client.events.follow({ store: new FilePlaceStore(PLACE), sourceId: RECORD })) {
  count += 1;
  process.stdout.write(`${event.deltaEventId}\n`);
  if (MODE === 'hang-at-second' && count === 2) {
    // Keeps the process alive while the event is being handled.
    setInterval(() => undefined, 60_000);
    await new Promise(() => undefined);
  }
}
