// Copies a JSON object as it is compared: without the values of its ignored members, and with values with a rule as
// compared-value.as writes them. The names stay, so that different objects stay different and repeated members are noticed.
// Only valid scalars are left out.

import { columnCount, columns } from './found-rows';
import { isScalar, plainEnd, stringEnd } from './json-scalars';
import { nestedEnd, skipSpace } from './json-values';
import { copy } from './plain-text';
import { LEFT_OUT, writeValue } from './compared-value';

/** @param room receives the copy @returns the end of the copy; 0 if the columns are not certain */
export function comparedMembers(from: usize, to: usize, room: usize): usize {
  let out = room;
  let written: u32 = 0;
  let copied = from;
  let at = skipSpace(from, to);
  if (at == to || load<u8>(at) != 0x7b) return 0;
  at = skipSpace(at + 1, to);
  if (at < to && load<u8>(at) == 0x7d) return copy(from, to, room);
  while (at < to && load<u8>(at) == 0x22) {
    const nameAt = at + 1;
    const nameEnd = stringEnd(at, to);
    if (nameEnd == 0) return 0;
    at = skipSpace(nameEnd, to);
    if (at == to || load<u8>(at) != 0x3a) return 0;
    at = skipSpace(at + 1, to);
    const rule = ruleOf(nameAt, nameEnd - 1);
    const end = valueEnd(at, to);
    if (rule == UNKNOWN || end == 0) return 0;
    if (rule != 0) {
      if (rule == LEFT_OUT && !isScalar(at, end)) return 0;
      // With repeated members, there would be no limit to what is written.
      if (rule != LEFT_OUT && ++written > columnCount) return 0;
      out = copy(copied, at, out);
      if (rule != LEFT_OUT) out = writeValue(at, end, rule, nearColumn, out);
      copied = end;
    }
    at = skipSpace(end, to);
    if (at == to) return 0;
    if (load<u8>(at) == 0x7d) return copy(copied, to, out);
    if (load<u8>(at) != 0x2c) return 0;
    at = skipSpace(at + 1, to);
  }
  return 0;
}

function valueEnd(at: usize, to: usize): usize {
  if (at == to) return 0;
  const first = load<u8>(at);
  if (first == 0x22) return stringEnd(at, to);
  return first == 0x7b || first == 0x5b ? nestedEnd(at, to) : plainEnd(at, to);
}

const UNKNOWN: u8 = 0xff;

// Of the column that ruleOf found: its number among those with a tolerance.
let nearColumn: u8 = 0;

/**
 * The byte of the column with this name; 0 for another. A name with an escape may be that of an ignored column, and one with a
 * dot may be ignored because of the part before the dot.
 */
function ruleOf(from: usize, to: usize): u8 {
  let hasEscape = false;
  for (let at = from; at < to; at++) hasEscape = hasEscape || load<u8>(at) == 0x5c;
  let column = columns;
  for (let n: u32 = 0; n < columnCount; n++) {
    const length = <usize>load<u32>(column);
    const rule = load<u8>(column, 4);
    const name = column + 6;
    if (hasEscape) {
      if (rule == LEFT_OUT) return UNKNOWN;
    } else if (to - from >= length && isSame(name, from, length)) {
      if (to - from == length) {
        nearColumn = load<u8>(column, 5);
        return rule;
      }
      if (rule == LEFT_OUT && load<u8>(from + length) == 0x2e) return UNKNOWN;
    }
    column = name + length;
  }
  return 0;
}

function isSame(left: usize, right: usize, length: usize): bool {
  for (let at: usize = 0; at < length; at++) if (load<u8>(left + at) != load<u8>(right + at)) return false;
  return true;
}
