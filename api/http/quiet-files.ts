// Keeps the connection of a file open while no row for it is found: the API ends a connection without traffic, and so do proxies.
// A flush sends what the compressor holds. The next one without new input sends nothing, so a proxy still needs a long timeout.
import type { FastifyReply } from 'fastify';
import type { Gzip, ZstdCompress } from 'node:zlib';

/** A stream that holds what it was given until it has a block of it. */
export type Compressor = Gzip | ZstdCompress;

/** Far less than the minute after which nginx gives up by default. docs/reliability.md sets a longer one. */
const FLUSH_AFTER_MS = 5_000;

/**
 * Call the result whenever a piece is made, even an empty one. A client that stops reading asks for no piece, so its connection
 * still counts as idle.
 */
export function keepOpen({ raw }: FastifyReply, compressor: Compressor | undefined): () => void {
  let sentBytes = 0;
  let quietSinceMs = performance.now();
  return () => {
    const { socket } = raw;
    // Starts the time again.
    if (socket?.timeout !== undefined) socket.setTimeout(socket.timeout);
    const isQuiet = socket !== null && socket.bytesWritten === sentBytes;
    if (isQuiet && performance.now() - quietSinceMs < FLUSH_AFTER_MS) return;
    if (isQuiet) compressor?.flush();
    sentBytes = socket?.bytesWritten ?? 0;
    quietSinceMs = performance.now();
  };
}
