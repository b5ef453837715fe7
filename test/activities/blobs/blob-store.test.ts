// The contract of a blob store, tested on each kind of store.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BlobNotFound,
  type BlobReader,
  type BlobStore,
  rowIndexName,
} from '../../../activities/blobs/blob-store.ts';
import { openBlobStore } from '../../../activities/blobs/open-blob-store.ts';
import { inChunks } from '../../../core/delta/raw/read-at.ts';
import { makeId } from '../../../core/ids.ts';
import { type S3Server, startS3Server } from './s3-server.ts';

let folder: string;
let s3: S3Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  s3 = await startS3Server();
});

afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true });
});

const stores: [string, () => BlobStore][] = [
  ['a folder', () => openBlobStore('', folder)],
  ['S3', () => openBlobStore(s3Setting(), folder)],
];

function s3Setting(): string {
  return `s3://id:se%2Fcret@bodies?endpoint=${encodeURIComponent(s3.url)}&region=eu-central-1`;
}

function newRecordId(): string {
  return makeId('record', Date.now(), randomBytes(16).toString('hex'));
}

async function newFile(bytes: Buffer | string): Promise<{ path: string; sha256: string }> {
  const path = join(folder, `fetch-${randomBytes(8).toString('hex')}`);
  await writeFile(path, bytes);
  return { path, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function contentOf(opened: BlobReader): Promise<Buffer> {
  await using body = opened;
  const chunks: Buffer[] = [];
  for await (const chunk of inChunks(body.read, 100_000)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

describe.each(stores)('%s', (_kind, openStore) => {
  it('stores a body and takes ownership of its file', async () => {
    const [store, recordId] = [openStore(), newRecordId()];
    const bytes = randomBytes(200_000);
    const { path, sha256 } = await newFile(bytes);
    await store.put(recordId, sha256, path);
    await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(bytes.equals(await contentOf(await store.open(recordId, sha256)))).toBe(true);
    expect(bytes.equals(await contentOf(await openStore().open(recordId, sha256)))).toBe(true);
  });

  it('accepts the same body twice', async () => {
    const [store, recordId] = [openStore(), newRecordId()];
    for (let round = 0; round < 2; round += 1) {
      const { path, sha256 } = await newFile('same');
      await store.put(recordId, sha256, path);
      expect((await contentOf(await store.open(recordId, sha256))).toString()).toBe('same');
    }
  });

  it('stores a large body completely', async () => {
    const [store, recordId] = [openStore(), newRecordId()];
    const bytes = randomBytes(40 * 1024 * 1024);
    const { path, sha256 } = await newFile(bytes);
    await store.put(recordId, sha256, path);
    const content = await contentOf(await store.open(recordId, sha256));
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
  });

  it('reads a body in place, from any byte up to its end', async () => {
    const [store, recordId] = [openStore(), newRecordId()];
    const bytes = randomBytes(300_000);
    const { path, sha256 } = await newFile(bytes);
    await store.put(recordId, sha256, path);
    await using body = await store.open(recordId, sha256);
    const into = Buffer.alloc(100_000);
    expect(await body.read(into, 0)).toBe(100_000);
    expect(into.equals(bytes.subarray(0, 100_000))).toBe(true);
    expect(await body.read(into, 150_000)).toBe(100_000);
    expect(into.equals(bytes.subarray(150_000, 250_000))).toBe(true);
    expect(await body.read(into, 250_000)).toBe(50_000);
    expect(into.subarray(0, 50_000).equals(bytes.subarray(250_000))).toBe(true);
    expect(await body.read(into, 300_000)).toBe(0);
  });

  it('reports a missing body', async () => {
    const { path, sha256 } = await newFile('elsewhere');
    const [store, recordId] = [openStore(), newRecordId()];
    await expect(store.open(recordId, sha256)).rejects.toBeInstanceOf(BlobNotFound);
    await store.put(newRecordId(), sha256, path);
    await expect(store.open(recordId, sha256)).rejects.toBeInstanceOf(BlobNotFound);
  });

  it('removes one body, also when it is already gone', async () => {
    const [store, recordId] = [openStore(), newRecordId()];
    const [one, two] = [await newFile('one'), await newFile('two')];
    await store.put(recordId, one.sha256, one.path);
    await store.put(recordId, two.sha256, two.path);
    await store.remove(recordId, one.sha256);
    await store.remove(recordId, one.sha256);
    await expect(store.open(recordId, one.sha256)).rejects.toBeInstanceOf(BlobNotFound);
    expect((await contentOf(await store.open(recordId, two.sha256))).toString()).toBe('two');
  });

  it('keeps a row index as long as its body', async () => {
    const [store, recordId] = [openStore(), newRecordId()];
    const [body, index] = [await newFile('a body'), await newFile('its index')];
    await store.put(recordId, body.sha256, body.path);
    await store.put(recordId, rowIndexName(body.sha256), index.path);
    expect((await contentOf(await store.open(recordId, rowIndexName(body.sha256)))).toString()).toBe(
      'its index',
    );
    await store.remove(recordId, body.sha256);
    await expect(store.open(recordId, rowIndexName(body.sha256))).rejects.toBeInstanceOf(BlobNotFound);
  });

  it('lists all bodies, page by page', async () => {
    const store = openStore();
    const own: string[] = [];
    for (const recordId of [newRecordId(), newRecordId()]) {
      for (const content of ['one', 'two']) {
        const { path, sha256 } = await newFile(content);
        await store.put(recordId, sha256, path);
        own.push(`${recordId}/${sha256}`);
      }
    }
    const listed: string[] = [];
    for (let after: string | null = ''; after !== null;) {
      const page = await store.list(after, 2);
      expect(page.keys.length).toBeLessThanOrEqual(2);
      listed.push(...page.keys);
      after = page.next;
    }
    expect(listed).toEqual(listed.toSorted());
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toEqual(expect.arrayContaining(own));
  });

  it('erases the bodies of one record only', async () => {
    const [store, recordId, otherId] = [openStore(), newRecordId(), newRecordId()];
    const hashes: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const { path, sha256 } = await newFile(`body ${i}`);
      hashes.push(sha256);
      await store.put(recordId, sha256, path);
    }
    const kept = await newFile('kept');
    await store.put(otherId, kept.sha256, kept.path);
    await store.removeAll(recordId);
    await store.removeAll(recordId);
    for (const sha256 of hashes)
      await expect(store.open(recordId, sha256)).rejects.toBeInstanceOf(BlobNotFound);
    expect((await contentOf(await store.open(otherId, kept.sha256))).toString()).toBe('kept');
  });

  it('refuses names that could lead elsewhere', async () => {
    const store = openStore();
    const { path, sha256 } = await newFile('x');
    for (const recordId of [
      '',
      '..',
      '../..',
      'src_',
      `${newRecordId()}/..`,
      'acc_0199c1e2f3a47c5d9e8f7a6b5c4d3e2f',
    ]) {
      await expect(store.put(recordId, sha256, path)).rejects.toThrow('id of a record');
      await expect((async () => store.removeAll(recordId))()).rejects.toThrow('id of a record');
    }
    for (const name of ['', '..', `../${sha256}`, sha256.toUpperCase(), sha256.slice(1), `${sha256}\n`]) {
      await expect(store.open(newRecordId(), name)).rejects.toThrow('64 hexadecimal digits');
      await expect((async () => store.remove(newRecordId(), name))()).rejects.toThrow(
        '64 hexadecimal digits',
      );
    }
    await access(path);
  });

  it('leaves the file when it could not be stored', async () => {
    const sha256 = 'a'.repeat(64);
    await expect(openStore().put(newRecordId(), sha256, join(folder, 'not-there'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});

describe('a folder', () => {
  it('shows complete bodies only, under their names', async () => {
    const root = join(folder, 'own');
    await mkdir(root);
    const [store, recordId] = [openBlobStore(root, 'unused'), newRecordId()];
    const { path, sha256 } = await newFile('x');
    await store.put(recordId, sha256, path);
    expect(await readdir(root, { recursive: true })).toEqual([recordId, join(recordId, sha256)]);
  });

  it('accepts files from another disk', async () => {
    const [store, recordId] = [openBlobStore('', folder), newRecordId()];
    const elsewhere = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
    const path = join(elsewhere, `body-${randomBytes(8).toString('hex')}`);
    const sha256 = createHash('sha256').update('far').digest('hex');
    await writeFile(path, 'far');
    await store.put(recordId, sha256, path);
    await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(join(folder, 'blobs', recordId))).toEqual([sha256]);
  });
});

describe('S3', () => {
  it('retries after a failure of the store', async () => {
    const [store, recordId] = [openBlobStore(s3Setting(), folder), newRecordId()];
    const { path, sha256 } = await newFile('again');
    s3.failNext(1, 503);
    await store.put(recordId, sha256, path);
    expect(s3.objects.get(`/bodies/${recordId}/${sha256}`)?.toString()).toBe('again');
  });

  it('leaves the file when the store refuses it', async () => {
    const [store, recordId] = [openBlobStore(s3Setting(), folder), newRecordId()];
    const { path, sha256 } = await newFile('refused');
    s3.failNext(1, 403);
    await expect(store.put(recordId, sha256, path)).rejects.toThrow(Error);
    await access(path);
  });
});

describe('S3, after interrupted uploads', () => {
  it('regression: aborts old uploads of bodies and no others', async () => {
    const store = openBlobStore(s3Setting(), folder);
    const body = `/bodies/${newRecordId()}/${'ab'.repeat(32)}`;
    const [old, now] = [new Date(Date.now() - 86_400_000), new Date()];
    const upload = (path: string, initiated: Date) => ({ path, initiated, parts: new Map<number, Buffer>() });
    s3.uploads.set('1', upload(body, old));
    s3.uploads.set('2', upload(body, now));
    s3.uploads.set('3', upload('/bodies/somebody/elses', old));
    s3.uploads.set('4', upload(`${body}.rows`, old));
    await store.abandonUploads(new Date(Date.now() - 3_600_000));
    expect([...s3.uploads.keys()]).toEqual(['2', '3']);
    s3.uploads.clear();
  });
});

describe('BLOB_STORE', () => {
  it.each([
    'gs://bodies',
    's3://',
    's3://bodies/path',
    's3://bodies?secret=hidden',
    'http://hidden',
    's3://hidden:x@',
  ])('says what is wanted in place of %s, without repeating it', (setting) => {
    expect(() => openBlobStore(setting, folder)).toThrow(/^BLOB_STORE (?!.*hidden)/);
  });
});

it('folders of bodies are readable only by the user who made them', async () => {
  const home = join(folder, 'fresh');
  const [store, recordId] = [openBlobStore('', home), newRecordId()];
  const { path, sha256 } = await newFile('private');
  await store.put(recordId, sha256, path);
  for (const made of [join(home, 'blobs'), join(home, 'blobs', recordId)]) {
    expect((await stat(made)).mode & 0o077).toBe(0);
  }
});
