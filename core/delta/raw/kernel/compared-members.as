// Copies a JSON object as it is compared: without the values of its ignored members, and with values with a rule as
// compared-value.as writes them. The names stay, so that different objects stay different and repeated members are noticed.
// Only valid scalars are left out.

import { columnCount } from './found-rows';
import { isScalar, plainEnd, stringEnd } from './json-scalars';
import { nestedEnd, skipSpace } from './json-values';
import { nearColumn, ruleOf, UNKNOWN } from './member-rules';
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
