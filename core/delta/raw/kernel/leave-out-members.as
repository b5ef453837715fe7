// Copies a JSON object without the values of its ignored members. Their names stay, so that different objects stay different
// and repeated members are noticed. Only valid scalars are left out.

import { ignored, ignoredCount } from './found-rows';
import { isScalar, plainEnd, stringEnd } from './json-scalars';
import { nestedEnd, skipSpace } from './json-values';
import { copy } from './plain-text';

/** @param room receives the copy @returns the end of the copy; 0 if the ignored columns are not certain */
export function withoutMembers(from: usize, to: usize, room: usize): usize {
  let out = room;
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
    const verdict = verdictOn(nameAt, nameEnd - 1);
    const end = valueEnd(at, to);
    if (verdict == UNKNOWN || end == 0) return 0;
    if (verdict == LEFT_OUT) {
      if (!isScalar(at, end)) return 0;
      out = copy(copied, at, out);
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

const KEPT: i32 = 0;
const LEFT_OUT: i32 = 1;
const UNKNOWN: i32 = 2;

/** A name with an escape may be any name, and one with a dot may be ignored because of the part before the dot. */
function verdictOn(from: usize, to: usize): i32 {
  for (let at = from; at < to; at++) if (load<u8>(at) == 0x5c) return UNKNOWN;
  let name = ignored;
  for (let n: u32 = 0; n < ignoredCount; n++) {
    const length = <usize>load<u32>(name);
    name += 4;
    if (to - from >= length && isSame(name, from, length)) {
      if (to - from == length) return LEFT_OUT;
      if (load<u8>(from + length) == 0x2e) return UNKNOWN;
    }
    name += length;
  }
  return KEPT;
}

function isSame(left: usize, right: usize, length: usize): bool {
  for (let at: usize = 0; at < length; at++) if (load<u8>(left + at) != load<u8>(right + at)) return false;
  return true;
}
