// Writes what comes from a socket into a file, and lets go of its memory as soon as it is written: left to the garbage
// collector, which does not see how much it is, 64 KiB after 64 KiB, it would have the whole heap searched again and again.
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { finished } from 'node:stream/promises';

/** Written together. */
const WRITE_BYTES = 1024 * 1024;

/**
 * Closes the file, also on failure.
 * @param chunks whoever makes them has no more use for them; each is empty once it is written
 */
export async function writeChunks(file: FileHandle, chunks: AsyncIterable<Buffer>): Promise<void> {
  const stream = file.createWriteStream({ highWaterMark: WRITE_BYTES });
  const written = finished(stream);
  written.catch(() => undefined);
  try {
    for await (const chunk of chunks) {
      // After a failure it may still be on its way to the disk.
      const isFull = !stream.write(chunk, (error) => void (error ?? free(chunk)));
      if (isFull) await Promise.race([once(stream, 'drain'), written]);
    }
    stream.end();
  } catch (error) {
    stream.destroy();
    await written.catch(() => undefined);
    throw error;
  }
  await written;
}

/** Not where it is a part of something: another part may be still in use. */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
