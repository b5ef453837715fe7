// Rows of a file as its bytes arrive: cut anywhere, with or without a last line feed.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Download } from '../../../../../clients/typescript/src/http/download.ts';
import { collect } from '../collect.ts';

const headers = new Headers({
  'content-type': 'application/jsonl',
  'content-disposition': 'x; filename="a.jsonl"',
});
const rowsOf = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })));

it('gives the rows however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      rowsOf,
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      async (rows, hasLastLineFeed, size) => {
        const text = rows.map((row) => JSON.stringify(row)).join('\n') + (hasLastLineFeed ? '\n' : '');
        const bytes = new TextEncoder().encode(text);
        const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.slice(index * size, (index + 1) * size),
        );
        const download = new Download(headers, ReadableStream.from(parts));
        expect(JSON.stringify(await collect(download.rows()))).toBe(JSON.stringify(rows));
        expect(download.fileName).toBe('a.jsonl');
      },
    ),
  );
});

it('gives the rows as parseJson reads them', async () => {
  const parts = ['{"a":10000000000000000999}\n', '{"a":1.10}'].map((text) => new TextEncoder().encode(text));
  const download = new Download(headers, ReadableStream.from(parts), (text) => ({ text }));
  expect(await collect(download.rows())).toEqual([
    { text: '{"a":10000000000000000999}' },
    { text: '{"a":1.10}' },
  ]);
});

it('ends the request when the reader leaves early', async () => {
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('{"a":1}\n')),
    cancel: () => {
      isCancelled = true;
    },
  });
  for await (const row of new Download(headers, stream).rows()) {
    expect(row).toEqual({ a: 1 });
    break;
  }
  expect(isCancelled).toBe(true);
});
