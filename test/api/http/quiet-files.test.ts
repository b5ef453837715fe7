// What is sent of a compressed file while no row for it is found.
import type { FastifyReply } from 'fastify';
import { createGzip, createZstdCompress } from 'node:zlib';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepOpen } from '../../../api/http/quiet-files.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

it.each([
  ['gzip', createGzip],
  ['zstd', createZstdCompress],
])('%s passes on what it holds when the connection has been quiet for a while', (_, create) => {
  const compressor = create();
  const flush = vi.spyOn(compressor, 'flush').mockReturnValue();
  const socket = { bytesWritten: 0, timeout: 120_000, setTimeout: vi.fn<(ms: number) => void>() };
  // Only these members are used.
  const onPiece = keepOpen({ raw: { socket } } as unknown as FastifyReply, compressor);
  const flushesAfter = (ms: number, bytes = 0): number => {
    flush.mockClear();
    vi.advanceTimersByTime(ms);
    socket.bytesWritten += bytes;
    onPiece();
    return flush.mock.calls.length;
  };
  expect(flushesAfter(4_000)).toBe(0);
  expect(flushesAfter(1_000)).toBe(1);
  expect(flushesAfter(4_000)).toBe(0);
  expect(flushesAfter(4_000, 1)).toBe(0);
  expect(flushesAfter(4_000)).toBe(0);
  expect(flushesAfter(1_000)).toBe(1);
  expect(socket.setTimeout.mock.calls).toEqual(Array.from({ length: 6 }, () => [120_000]));
});
