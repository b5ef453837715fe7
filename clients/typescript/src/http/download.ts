// A file that the API sends: its bytes as they arrive, or its rows.
import { ConnectionError, RecordwatchError } from '../errors.ts';
import type { RowData } from '../models.ts';

export class Download {
  /** The name that the API proposes. */
  readonly fileName: string | undefined;
  readonly contentType: string;
  /** Stands for the bytes: a download with the same one has the same bytes. */
  readonly etag: string | undefined;
  /** The bytes as they arrive. */
  readonly stream: ReadableStream<Uint8Array>;
  readonly #parseJson: (text: string) => unknown;

  constructor(
    headers: Headers,
    stream: ReadableStream<Uint8Array>,
    parseJson: (text: string) => unknown = JSON.parse,
  ) {
    this.fileName = /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '')?.[1];
    this.contentType = headers.get('content-type') ?? '';
    this.etag = headers.get('etag') ?? undefined;
    this.stream = stream;
    this.#parseJson = parseJson;
  }

  /** The whole file. */
  async text(): Promise<string> {
    let text = '';
    for await (const part of this.#texts()) text += part;
    return text;
  }

  /** The rows of a file in JSON Lines, as they arrive. */
  async *rows(): AsyncGenerator<RowData, void, undefined> {
    if (!/jsonl/.test(this.contentType)) {
      throw new RecordwatchError('Only a download with `format: "jsonl"` has rows.');
    }
    let rest = '';
    for await (const text of this.#texts()) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield this.#parseJson(line) as RowData;
    }
    if (rest !== '') yield this.#parseJson(rest) as RowData;
  }

  /** @throws ConnectionError the file broke off */
  async *#texts(): AsyncGenerator<string, void, undefined> {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: false });
    const reader = this.stream.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          throw new ConnectionError('The download broke off.', { cause: error });
        });
        if (done) break;
        yield decoder.decode(value, { stream: true });
      }
      yield decoder.decode();
    } finally {
      // Ends the request if the consumer leaves early.
      await reader.cancel().catch(() => undefined);
    }
  }
}
