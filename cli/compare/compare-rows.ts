// Compares two bodies by reading every row. Keeps the keys and hashes of the first body, and no row of either.
import type { KeyedRow } from '../../core/delta/keys/keyed-row.ts';
import type { DeltaLine } from '../../core/export/delta-lines.ts';
import { type LineType, type Differences, firstByKey, flat } from './differences.ts';
import { ofBody, type Version } from './version.ts';

const HASH_BYTES = 16;
const FIRST_ROWS = 4096;

/** Of rows with the same key the last one counts. */
interface StoredHashes {
  slots: Map<string, number>;
  hashes: Buffer;
}

/** What happened to a row of the first body. */
const [DELETED, SAME, CHANGED] = [0, 1, 2];

/** Reads each body once, and again for the rows that are asked for. @throws BodyFault */
export async function compareRows(before: Version, now: Version): Promise<Differences> {
  const { slots, hashes } = await ofBody(before.body, readHashes(before));
  const fates = new Uint8Array(slots.size);
  const fresh = new Set<string>();
  const look = ({ key, hash }: KeyedRow): void => {
    const slot = slots.get(key);
    if (slot === undefined) fresh.add(key);
    else fates[slot] = isAt(hashes, slot, hash) ? SAME : CHANGED;
  };
  await ofBody(now.body, forEachRow(now, look));
  const counts = { new: fresh.size, changed: 0, deleted: 0, unchanged: 0 };
  for (const fate of fates) counts[fate === SAME ? 'unchanged' : fate === CHANGED ? 'changed' : 'deleted']++;
  return {
    counts,
    before: before.reader.summary(),
    now: now.reader.summary(),
    async lines(most) {
      const keys: { key: string; changeType: LineType }[] = [...fresh].map((key) => ({ key, changeType: 'new' })); // prettier-ignore
      for (const [key, slot] of slots) {
        if (fates[slot] === CHANGED) keys.push({ key, changeType: 'changed' });
        if (fates[slot] === DELETED) keys.push({ key, changeType: 'deleted' });
      }
      return readLines(before, now, firstByKey(keys, most));
    },
  };
}

async function readHashes(version: Version): Promise<StoredHashes> {
  const slots = new Map<string, number>();
  let hashes = Buffer.alloc(FIRST_ROWS * HASH_BYTES);
  const slotOf = (key: string): number => {
    const known = slots.get(key);
    if (known !== undefined) return known;
    const slot = slots.size;
    slots.set(key, slot);
    if (hashes.length <= slot * HASH_BYTES) hashes = Buffer.concat([hashes], hashes.length * 2);
    return slot;
  };
  await forEachRow(version, ({ key, hash }) => {
    // First of all, because it may replace the hashes.
    const slot = slotOf(key);
    hashes.set(hash, slot * HASH_BYTES);
  });
  return { slots, hashes };
}

const isAt = (hashes: Buffer, slot: number, hash: Buffer): boolean =>
  hashes.compare(hash, 0, HASH_BYTES, slot * HASH_BYTES, (slot + 1) * HASH_BYTES) === 0;

/** Reads both bodies again for the data of these rows. */
async function readLines(
  before: Version,
  now: Version,
  keys: readonly { key: string; changeType: LineType }[],
): Promise<DeltaLine[]> {
  const keysBut = (type: LineType): Set<string> =>
    new Set(keys.filter(({ changeType }) => changeType !== type).map(({ key }) => key));
  const old = await readData(before, keysBut('new'));
  const current = await readData(now, keysBut('deleted'));
  return keys.map(({ key, changeType }) => ({
    key,
    changeType,
    before: old.get(key) ?? null,
    after: current.get(key) ?? null,
  }));
}

async function readData(version: Version, keys: ReadonlySet<string>): Promise<Map<string, string>> {
  const data = new Map<string, string>();
  if (keys.size === 0) return data;
  const { warnings } = version.reader.summary();
  const hasRepeats = warnings.some(({ code }) => code === 'duplicate_key');
  for await (const rows of version.reader.batches()) {
    for (const row of rows) if (keys.has(row.key)) data.set(row.key, flat(row.data));
    // Of rows with the same key the last one counts.
    if (data.size === keys.size && !hasRepeats) break;
  }
  return data;
}

export async function forEachRow({ reader }: Version, look: (row: KeyedRow) => void): Promise<void> {
  for await (const rows of reader.batches()) for (const row of rows) look(row);
}
