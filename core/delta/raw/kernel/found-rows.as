// Settings for finding rows, and the entry of a row: its hash, without ignored columns.

import { withoutCells } from './leave-out-cells';
import { withoutMembers } from './leave-out-members';
import { hash, seedHash } from './sip-hash';

// A row's entry: its hash, then its position in the body and its length in the upper bits. In `found`, the rows of a window,
// the lower half is the offset in the window and the upper half the length.
export const ENTRY: usize = 24;
export const LENGTH_SHIFT: u64 = 40;

// Instead of a length: the ignored columns of the row cannot be found by its bytes, so it gets no match.
export const UNSURE: u32 = 0x80000000;

export const LINES: i32 = -1;
export const ELEMENTS: i32 = -2;

// A delimiter, or another way to split rows.
export let mode: i32 = LINES;
// Otherwise only ASCII is known to be text.
export let isUtf8 = false;

// Cells: a byte for each column up to the last ignored one. Members: their names, each after its length.
export let ignored: usize = 0;
export let ignoredCount: u32 = 0;
let room: usize = 0;

export function configure(key0: u64, key1: u64, rowMode: i32, isTextUtf8: bool): void {
  seedHash(key0, key1);
  mode = rowMode;
  isUtf8 = isTextUtf8;
  ignoredCount = 0;
}

/** @param roomAt space for a row without ignored columns, plus 32 bytes */
export function ignore(at: usize, count: u32, roomAt: usize): void {
  ignored = at;
  ignoredCount = count;
  room = roomAt;
}

// @ts-ignore: decorator
@inline
export function emit(from: usize, to: usize, found: usize, count: u32): void {
  const entry = found + <usize>count * ENTRY;
  const length = <u32>(to - from);
  store<u32>(entry, <u32>from, 16);
  if (ignoredCount == 0) {
    hash(from, length, entry);
    store<u32>(entry, length, 20);
  } else {
    emitRest(from, to, entry);
  }
}

function emitRest(from: usize, to: usize, entry: usize): void {
  const end = mode < 0 ? withoutMembers(from, to, room) : withoutCells(from, to, <u8>mode, room);
  const length = <u32>(to - from);
  if (end == 0) hash(from, length, entry);
  else hash(room, end - room, entry);
  store<u32>(entry, end == 0 ? length | UNSURE : length, 20);
}
