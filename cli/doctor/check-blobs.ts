// Whether bodies can be stored, listed and removed.
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobFolder, openBlobStore } from '../../activities/blobs/open-blob-store.ts';
import { makeId } from '../../core/ids.ts';
import type { OperatorSettings } from '../operator/settings.ts';
import { fine, type Finding, problem, reasonOf, warning } from './finding.ts';

/** In milliseconds. The client tries three times. */
const TIMEOUTS = { connectionTimeout: 2_000, socketTimeout: 3_000 };

/** Stores a small body of a record that does not exist, and removes it. */
export async function checkBlobs({ blobStore, home, runUser }: OperatorSettings): Promise<Finding> {
  // Root can write to any folder, and what it makes there may be closed to another user, who may be that of the workers.
  if (process.getuid?.() === 0 && runUser !== 0 && blobFolder(blobStore, home) !== undefined) {
    return warning(
      'blob store',
      'Not tried: doctor runs as root, which says nothing about a folder of the workers.',
      'Run doctor as the user of the workers.',
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'recordwatch-doctor-'));
  try {
    const blobs = openBlobStore(blobStore, home, TIMEOUTS);
    const body = randomUUID();
    const name = createHash('sha256').update(body).digest('hex');
    const recordId = makeId('record', Date.now(), randomUUID());
    const file = join(folder, 'body');
    await writeFile(file, body);
    await blobs.put(recordId, name, file);
    await blobs.list('', 1);
    await blobs.removeAll(recordId);
    return fine('blob store', 'A body can be stored and removed.');
  } catch (error) {
    return problem(
      'blob store',
      `The blob store does not work: ${reasonOf(error)}.`,
      'Check BLOB_STORE: that its folder or bucket exists, can be written, and has space.',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
