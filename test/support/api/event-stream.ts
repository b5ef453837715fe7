// A reader of server-sent events over HTTP: https://html.spec.whatwg.org/multipage/server-sent-events.html.
import { until } from '../until.ts';

interface StreamMessage {
  id: string;
  data: string;
}

export interface EventStreamReader {
  contentType: string | null;
  /** In the order of their arrival. */
  messages: StreamMessage[];
  /** The last `id`, also of a block without data. */
  lastEventId: () => string | undefined;
  /** Everything that arrived. */
  text: () => string;
  untilCount: (count: number) => Promise<void>;
  /** Resolves when the server has ended the stream, or it broke. */
  ended: Promise<void>;
  close: () => Promise<void>;
}

/** @throws Error when the answer is not 200 */
export async function openEventStream(
  url: string,
  key: string,
  lastEventId?: string,
): Promise<EventStreamReader> {
  const closing = new AbortController();
  const answer = await fetch(url, {
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: closing.signal,
  });
  if (answer.status !== 200 || answer.body === null) {
    throw new Error(`${answer.status} ${await answer.text()}`);
  }
  const messages: StreamMessage[] = [];
  let text = '';
  let begun = '';
  let id: string | undefined;
  const take = (block: string): void => {
    const fields = block.split('\n').map((line) => line.split(/: ?(.*)/s));
    id = fields.find(([name]) => name === 'id')?.[1] ?? id;
    const data = fields.find(([name]) => name === 'data')?.[1];
    if (data !== undefined) messages.push({ id: id ?? '', data });
  };
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      const piece = decoder.decode(chunk, { stream: true });
      text += piece;
      const blocks = (begun + piece).split('\n\n');
      begun = blocks.pop() ?? '';
      blocks.forEach(take);
    }
  };
  const ended = read(answer.body).catch(() => undefined);
  return {
    contentType: answer.headers.get('content-type'),
    messages,
    lastEventId: () => id,
    text: () => text,
    untilCount: async (count) => void (await until(`${count} events`, () => messages.length >= count)),
    ended,
    close: async () => {
      closing.abort();
      await ended;
    },
  };
}
