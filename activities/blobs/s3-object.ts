// Reads an object of S3 from its start to its end. A connection on which nothing is read for a while is closed: by the client's
// own timeout, or by the store. So another one goes on where it ended.
import { Readable } from 'node:stream';
import { GetObjectCommand, type GetObjectCommandInput, NoSuchKey, type S3Client } from '@aws-sdk/client-s3';
import { noteProgress } from '../../db/driver/pulse.ts';
import { BlobNotFound } from './blob-store.ts';

interface S3Object {
  /** Fails when a connection ends without having given anything, except for the first, which may have ended unread. */
  chunks: AsyncIterable<Uint8Array>;
  close: () => void;
}

/** @throws BlobNotFound */
export async function openS3Object(
  client: S3Client,
  object: { Bucket: string; Key: string },
): Promise<S3Object> {
  const closing = new AbortController();
  const get = async (part?: Pick<GetObjectCommandInput, 'Range' | 'IfMatch'>) => {
    const command = new GetObjectCommand({ ...object, ...part });
    try {
      const { Body, ...answer } = await client.send(command, { abortSignal: closing.signal });
      if (Body instanceof Readable) return { ...answer, stream: Body };
    } catch (error) {
      throw error instanceof NoSuchKey ? new BlobNotFound(object.Key) : error;
    }
    throw new BlobNotFound(object.Key);
  };
  const { ETag, stream: first } = await get();
  let stream = first;

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let at = 0;
    for (let openedAt = -1; ;) {
      try {
        // Without an encoding, a stream yields bytes.
        for await (const chunk of stream as AsyncIterable<Uint8Array>) {
          at += chunk.length;
          yield chunk;
        }
        return;
      } catch (error) {
        if (closing.signal.aborted || at === openedAt) throw error;
        openedAt = at;
        // The next request has time limits of its own.
        noteProgress();
        const rest = await get({ Range: `bytes=${at}-`, IfMatch: ETag });
        ({ stream } = rest);
        if (rest.ContentRange?.startsWith(`bytes ${at}-`) === true) continue;
        stream.destroy();
        throw new Error('The store broke off, and does not go on from there', { cause: error });
      }
    }
  }

  return {
    chunks: chunks(),
    close: () => {
      closing.abort();
      stream.destroy();
    },
  };
}
