// Finds the rule of a JSON member by its name. The names of columns are in a hash table, so a body with many members takes no
// longer when there are many columns.

import { LEFT_OUT } from './compared-value';
import { hash64 } from './sip-hash';

export const UNKNOWN: u8 = 0xff;

// Of the column that ruleOf found: its number among those with a tolerance.
export let nearColumn: u8 = 0;

// A slot has the offset of a column in the list, and in its upper half that of the hash of the name. 0: it is empty. At least half of
// the slots are empty.
const SLOT_SHIFT: usize = 3;
const UPPER_HALF: u64 = 0xffffffff00000000;
let table: usize = 0;
let lastSlot: u64 = 0;
// The bits of all names. Names without theirs, which most members have, need no hash.
let marks: u64 = 0;
let hasLeftOut = false;

/** @param at the list: each name after its length and two bytes. After it are up to 32 bytes a name, and 32, for the table */
export function setNames(at: usize, count: u32): void {
  let end = at;
  for (let n: u32 = 0; n < count; n++) end = nameOf(end) + lengthOf(end);
  table = (end + 15) & ~15;
  lastSlot = 1;
  while (lastSlot + 1 < 2 * <u64>count) lastSlot = 2 * lastSlot + 1;
  memory.fill(table, 0, <usize>(lastSlot + 1) << SLOT_SHIFT);
  marks = 0;
  hasLeftOut = false;
  for (let column = at; column < end; column = nameOf(column) + lengthOf(column)) addName(column);
}

function addName(column: usize): void {
  const length = lengthOf(column);
  const hash = hash64(nameOf(column), <u32>length);
  let slot = hash & lastSlot;
  while (load<u64>(slotAt(slot)) != 0) slot = (slot + 1) & lastSlot;
  store<u64>(slotAt(slot), (hash & UPPER_HALF) | <u64>column);
  marks |= markOf(nameOf(column), length);
  hasLeftOut = hasLeftOut || ruleAt(column) == LEFT_OUT;
}

/**
 * The rule of the column with this name; 0 for another. A name with an escape may be that of an ignored column. One with a dot
 * may be ignored because of the part before the dot: the first one, because names of ignored columns have none.
 */
export function ruleOf(from: usize, to: usize): u8 {
  let dot = to;
  const escapes = i8x16.splat(0x5c);
  const dots = i8x16.splat(0x2e);
  for (let block = from; block < to; block += 16) {
    const bytes = v128.load(block);
    const inside: u32 = to - block < 16 ? (1 << <u32>(to - block)) - 1 : 0xffff;
    if ((i8x16.bitmask(i8x16.eq(bytes, escapes)) & inside) != 0) return hasLeftOut ? UNKNOWN : 0;
    const found = i8x16.bitmask(i8x16.eq(bytes, dots)) & inside;
    if (found != 0 && dot == to) dot = block + ctz(found);
  }
  if (dot < to) {
    const parent = columnOf(from, dot);
    if (parent != 0 && ruleAt(parent) == LEFT_OUT) return UNKNOWN;
  }
  const column = columnOf(from, to);
  if (column == 0) return 0;
  nearColumn = load<u8>(column, 5);
  return ruleAt(column);
}

/** The first column with this name; 0 if there is none. */
function columnOf(from: usize, to: usize): usize {
  const length = to - from;
  if ((marks & markOf(from, length)) == 0) return 0;
  const hash = hash64(from, <u32>length);
  let slot = hash & lastSlot;
  let entry = load<u64>(slotAt(slot));
  while (entry != 0) {
    const column = <usize>(<u32>entry);
    if (((entry ^ hash) & UPPER_HALF) == 0 && isNameOf(column, from, length)) return column;
    slot = (slot + 1) & lastSlot;
    entry = load<u64>(slotAt(slot));
  }
  return 0;
}

function isNameOf(column: usize, from: usize, length: usize): bool {
  return lengthOf(column) == length && memory.compare(nameOf(column), from, length) == 0;
}

/** A bit that depends on the length and the ends of a name. */
// @ts-ignore: decorator
@inline
function markOf(from: usize, length: usize): u64 {
  const ends = length == 0 ? 0 : 3 * <u64>load<u8>(from) + 5 * <u64>load<u8>(from + length - 1);
  return 1 << ((<u64>length + ends) & 63);
}

// @ts-ignore: decorator
@inline
function slotAt(slot: u64): usize {
  return table + (<usize>slot << SLOT_SHIFT);
}

// @ts-ignore: decorator
@inline
function lengthOf(column: usize): usize {
  return <usize>load<u32>(column);
}

// @ts-ignore: decorator
@inline
function ruleAt(column: usize): u8 {
  return load<u8>(column, 4);
}

// @ts-ignore: decorator
@inline
function nameOf(column: usize): usize {
  return column + 6;
}
