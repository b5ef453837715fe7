// Settings for finding rows, and the entry of a row: its hash, over the row as it is compared.

import { comparedCells } from './compared-cells';
import { comparedMembers } from './compared-members';
import { setNames } from './member-rules';
import { beginRow, setTolerances, slots } from './near-numbers';
import { hash, seedHash } from './sip-hash';

// A row's entry: its hash, then its position in the body and its length in the upper bits. In `found`, the rows of a window,
// the lower half is the offset in the window and the upper half the length.
export const ENTRY: usize = 24;
export const LENGTH_SHIFT: u64 = 40;

// Instead of a length: the columns of the row cannot be found by its bytes, so it gets no match.
export const UNSURE: u32 = 0x80000000;

const QUOTE: u8 = 0x22;

export const LINES: i32 = -1;
export const ELEMENTS: i32 = -2;

// A delimiter, or another way to split rows.
export let mode: i32 = LINES;
// Whether a cell of delimited text may be in quotes. Otherwise a quote is an ordinary character.
let hasQuotes = true;
// Otherwise only ASCII is known to be text.
export let isUtf8 = false;

// Columns that are ignored or have a rule. Cells: two bytes for each column up to the last of them, what compared-value.as does with it
// and its number among those with a tolerance, from 1. Members: their names, each after its length and these bytes.
export let columns: usize = 0;
export let columnCount: u32 = 0;
let room: usize = 0;

export function configure(key0: u64, key1: u64, rowMode: i32, mayQuote: bool, isTextUtf8: bool): void {
  seedHash(key0, key1);
  mode = rowMode;
  hasQuotes = mayQuote;
  isUtf8 = isTextUtf8;
  columnCount = 0;
  setTolerances(0, 0, 0);
}

/** A vector of quotes; without quoting of the other byte, so that no quote is found. */
// @ts-ignore: decorator
@inline
export function quotesOr(other: u8): v128 {
  return i8x16.splat(hasQuotes ? QUOTE : other);
}

/** Whether a cell begins here in quotes. */
// @ts-ignore: decorator
@inline
export function isInQuotes(from: usize, to: usize): bool {
  return hasQuotes && from < to && load<u8>(from) == QUOTE;
}

/** Call it after configure. @param roomAt space for a row as it is compared */
export function setColumns(at: usize, count: u32, roomAt: usize): void {
  columns = at;
  columnCount = count;
  room = roomAt;
  if (mode < 0) setNames(at, count);
}

// @ts-ignore: decorator
@inline
export function emit(from: usize, to: usize, found: usize, count: u32): void {
  const entry = found + <usize>count * ENTRY;
  const length = <u32>(to - from);
  store<u32>(entry, <u32>from, 16);
  if (columnCount == 0) {
    hash(from, length, entry);
    store<u32>(entry, length, 20);
  } else {
    emitCompared(from, to, entry, count);
  }
}

function emitCompared(from: usize, to: usize, entry: usize, row: u32): void {
  if (slots != 0) beginRow(row);
  const end = mode < 0 ? comparedMembers(from, to, room) : comparedCells(from, to, <u8>mode, room);
  const length = <u32>(to - from);
  if (end == 0) hash(from, length, entry);
  else hash(room, end - room, entry);
  store<u32>(entry, end == 0 ? length | UNSURE : length, 20);
}
