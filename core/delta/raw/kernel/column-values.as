// Tells the values of a column apart by their hashes. As long as there are few different ones, each is counted in a table.
// Beyond that, a column stays of interest only while no value repeats: then the hashes are only listed, which takes a fraction
// of the time, and `repeats` looks for equal ones later.

import { allocate, reserveAtEnd } from './memory';
import { hash64 } from './sip-hash';

// The layout of what is known of a column.
export const COLUMN: usize = 40;
const TABLE: usize = 0;
const SLOTS: usize = 4;
const DISTINCT: usize = 8;
const GROWS_AT: usize = 12;
const EQUAL_PAIRS: usize = 16;
const BLOCK: usize = 24;
const IN_BLOCK: usize = 28;
const STATE: usize = 32;
const ONCE_CLOSED: usize = 33;

const COUNTED: u8 = 0;
const LISTED: u8 = 1;
const CLOSED: u8 = 2;
const UNFILLED: u8 = 3;

/** MAX_LEVELS in field-profile.ts. */
const MOST_COUNTED: u32 = 20_000;
const FIRST_SLOTS: u32 = 1024;
/** A hash, and how often it was seen. */
const SLOT: usize = 16;

// A block of a list: the block before, then hashes.
const BLOCK_HASHES: u32 = 32 * 1024;
const BLOCK_HEAD: usize = 16;

let grown = false;
let outOfMemory = false;

/** Whether a table as of field-profile.ts would have grown since the last call. */
export function hasGrown(): bool {
  const result = grown;
  grown = false;
  return result;
}

export function isOutOfMemory(): bool {
  return outOfMemory;
}

export function setUnfilled(its: usize): void {
  store<u8>(its, UNFILLED, STATE);
}

export function kindOnceClosed(its: usize): u8 {
  return load<u8>(its, ONCE_CLOSED);
}

/** @returns whether further values are of interest */
export function addValue(its: usize, hash: u64): bool {
  if (load<u8>(its, STATE) == LISTED) return addUnique(its, hash);
  if (load<u32>(its, TABLE) == 0 && !growTable(its, FIRST_SLOTS)) return true;
  const slot = slotOf(its, hash);
  const count = load<u32>(slot, 8);
  store<u32>(slot, count + 1, 8);
  if (count > 0) {
    store<u64>(its, load<u64>(its, EQUAL_PAIRS) + count, EQUAL_PAIRS);
    return true;
  }
  store<u64>(slot, hash);
  const distinct = countDistinct(its);
  if (distinct > MOST_COUNTED) return endCounting(its);
  const slots = load<u32>(its, SLOTS);
  if (distinct * 2 > slots) growTable(its, slots * 4);
  return true;
}

// @ts-ignore: decorator
@inline
function countDistinct(its: usize): u32 {
  const distinct = load<u32>(its, DISTINCT) + 1;
  store<u32>(its, distinct, DISTINCT);
  if (distinct >= load<u32>(its, GROWS_AT)) grown = true;
  return distinct;
}

/** The slot of this hash, or the free slot for it. */
function slotOf(its: usize, hash: u64): usize {
  const table = <usize>load<u32>(its, TABLE);
  const mask = load<u32>(its, SLOTS) - 1;
  let place = <u32>hash & mask;
  while (true) {
    const slot = table + <usize>place * SLOT;
    const there = load<u64>(slot);
    if (there == 0 || there == hash) return slot;
    place = (place + 1) & mask;
  }
}

function growTable(its: usize, slots: u32): bool {
  const old = <usize>load<u32>(its, TABLE);
  const oldEnd = old + <usize>load<u32>(its, SLOTS) * SLOT;
  const table = allocateBlock(<usize>slots * SLOT);
  if (table == 0) return false;
  memory.fill(table, 0, <usize>slots * SLOT);
  store<u32>(its, <u32>table, TABLE);
  store<u32>(its, slots, SLOTS);
  if (old == 0) return true;
  for (let from = old; from < oldEnd; from += SLOT) {
    const hash = load<u64>(from);
    if (hash == 0) continue;
    const to = slotOf(its, hash);
    store<u64>(to, hash);
    store<u32>(to, load<u32>(from, 8), 8);
  }
  return true;
}

/** There are too many values to count. If none repeats, they are listed from now on. */
function endCounting(its: usize): bool {
  if (load<u64>(its, EQUAL_PAIRS) > 0) {
    store<u8>(its, CLOSED, STATE);
    return false;
  }
  store<u8>(its, LISTED, STATE);
  const table = <usize>load<u32>(its, TABLE);
  const end = table + <usize>load<u32>(its, SLOTS) * SLOT;
  for (let slot = table; slot < end; slot += SLOT) {
    const hash = load<u64>(slot);
    if (hash != 0) append(its, hash);
  }
  return true;
}

/** Lists a value that is taken for another one than all before. @returns true, unless memory is exhausted */
export function addUnique(its: usize, hash: u64): bool {
  countDistinct(its);
  append(its, hash);
  return !outOfMemory;
}

function append(its: usize, hash: u64): void {
  let block = <usize>load<u32>(its, BLOCK);
  let count = load<u32>(its, IN_BLOCK);
  if (block == 0 || count == BLOCK_HASHES) {
    const next = allocateBlock(BLOCK_HEAD + <usize>BLOCK_HASHES * 8);
    if (next == 0) return;
    store<u32>(next, <u32>block);
    store<u32>(its, <u32>next, BLOCK);
    block = next;
    count = 0;
  }
  store<u64>(block + BLOCK_HEAD + (<usize>count << 3), hash);
  store<u32>(its, count + 1, IN_BLOCK);
}

function allocateBlock(sizeBytes: usize): usize {
  const at = allocate(sizeBytes);
  if (at == 0) outOfMemory = true;
  return at;
}

// The hashes of a list, in buckets by their upper bits.
let buckets: usize = 0;
/** How many hashes each bucket has. */
let sizes: usize = 0;
let bucketCount: u32 = 0;
/** Of hashes in a bucket, on average. */
const BUCKET: u32 = 512;
/** Without equal hashes, no bucket is so full, but once in 10^20 lists. */
const MOST_IN_BUCKET: u32 = 768;
const BUCKET_SLOTS: u32 = 2048;
let bucketTable: usize = 0;

/** Puts the first hashes of a list into buckets, for `repeats` and `hasValue`. @returns whether there was memory */
export function sortList(its: usize, most: u32): bool {
  const distinct = load<u32>(its, DISTINCT);
  const count = min(distinct, most);
  bucketCount = count / BUCKET + 1;
  if (!reserve()) return false;
  memory.fill(sizes, 0, <usize>bucketCount * 4);
  let block = <usize>load<u32>(its, BLOCK);
  let inBlock = load<u32>(its, IN_BLOCK);
  let before = distinct - inBlock;
  while (block != 0) {
    place(block + BLOCK_HEAD, count > before ? min(inBlock, count - before) : 0);
    block = <usize>load<u32>(block);
    inBlock = BLOCK_HASHES;
    before -= BLOCK_HASHES;
  }
  return true;
}

function reserve(): bool {
  if (bucketTable == 0) bucketTable = allocateBlock(<usize>BUCKET_SLOTS * 8);
  const hashesBytes = <usize>bucketCount * MOST_IN_BUCKET * 8;
  buckets = reserveAtEnd(hashesBytes + <usize>bucketCount * 4);
  if (buckets == 0) outOfMemory = true;
  sizes = buckets + hashesBytes;
  return !outOfMemory;
}

function place(hashes: usize, count: u32): void {
  const end = hashes + (<usize>count << 3);
  for (let at = hashes; at < end; at += 8) {
    const hash = load<u64>(at);
    const bucket = bucketOf(hash);
    const sizeAt = sizes + (<usize>bucket << 2);
    const size = load<u32>(sizeAt);
    if (size == MOST_IN_BUCKET) continue;
    store<u32>(sizeAt, size + 1);
    store<u64>(hashesOf(bucket) + (<usize>size << 3), hash);
  }
}

// @ts-ignore: decorator
@inline
function bucketOf(hash: u64): u32 {
  return <u32>(((hash >> 32) * bucketCount) >> 32);
}

// @ts-ignore: decorator
@inline
function hashesOf(bucket: u32): usize {
  return buckets + <usize>(bucket * MOST_IN_BUCKET) * 8;
}

/** Whether two hashes of the list that was sorted last are equal. */
export function repeats(): bool {
  for (let bucket: u32 = 0; bucket < bucketCount; bucket++) {
    const size = load<u32>(sizes + (<usize>bucket << 2));
    if (size == MOST_IN_BUCKET) return true;
    const from = hashesOf(bucket);
    const to = from + (<usize>size << 3);
    memory.fill(bucketTable, 0, <usize>BUCKET_SLOTS * 8);
    for (let at = from; at < to; at += 8) if (!isNew(load<u64>(at))) return true;
  }
  return false;
}

function isNew(hash: u64): bool {
  let place = <u32>hash & (BUCKET_SLOTS - 1);
  while (true) {
    const slot = bucketTable + (<usize>place << 3);
    const there = load<u64>(slot);
    if (there == hash) return false;
    if (there == 0) {
      store<u64>(slot, hash);
      return true;
    }
    place = (place + 1) & (BUCKET_SLOTS - 1);
  }
}

/** Whether a column has a text. If its values are listed, its list must be the one that was sorted last. */
export function hasValue(its: usize, at: usize, length: u32): bool {
  const hash = hash64(at, length);
  if (load<u8>(its, STATE) == LISTED) return isSorted(hash);
  return load<u32>(its, TABLE) != 0 && load<u64>(slotOf(its, hash)) == hash;
}

function isSorted(hash: u64): bool {
  const bucket = bucketOf(hash);
  const from = hashesOf(bucket);
  const to = from + (<usize>load<u32>(sizes + (<usize>bucket << 2)) << 3);
  for (let at = from; at < to; at += 8) if (load<u64>(at) == hash) return true;
  return false;
}
