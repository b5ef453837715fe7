// Leaves out row keys until a text fits a number of bytes, and takes no more from one category than from another.

export interface KeyLists {
  newKeys: readonly string[];
  changedKeys: readonly string[];
  deletedKeys: readonly string[];
}

const NO_KEYS: KeyLists = { newKeys: [], changedKeys: [], deletedKeys: [] };

/**
 * The text with as many keys as fit; the first ones of each list. Lists that need less than a third of the room leave
 * the rest of it to the others.
 * @param write the text with these keys in it, as JSON strings with commas between
 */
export function fitKeys(lists: KeyLists, maxBytes: number, write: (lists: KeyLists) => string): string {
  const whole = write(lists);
  // No character takes more than three bytes of UTF-8 for each of its units.
  if (whole.length * 3 <= maxBytes || bytesOf(whole) <= maxBytes) return whole;
  const { newKeys, changedKeys, deletedKeys } = lists;
  const roomBytes = maxBytes - bytesOf(write(NO_KEYS)) - SLACK_BYTES;
  const [newRoom = 0, changedRoom = 0, deletedRoom = 0] = shareOut(
    roomBytes,
    [newKeys, changedKeys, deletedKeys].map((keys) => sum(keys.map(keyBytes))),
  );
  return write({
    newKeys: firstWithin(newKeys, newRoom),
    changedKeys: firstWithin(changedKeys, changedRoom),
    deletedKeys: firstWithin(deletedKeys, deletedRoom),
  });
}

/** Flags that say `false` with keys and `true` without differ by a byte each. */
const SLACK_BYTES = 16;

/** Equal shares; what one does not need goes to those that need more. */
function shareOut(room: number, wanted: readonly number[]): number[] {
  const shares = wanted.map(() => 0);
  const ascending = [...wanted.keys()].toSorted((left, right) => (wanted[left] ?? 0) - (wanted[right] ?? 0));
  let left = Math.max(0, room);
  for (const [done, index] of ascending.entries()) {
    const share = Math.min(wanted[index] ?? 0, Math.floor(left / (ascending.length - done)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

function firstWithin(keys: readonly string[], roomBytes: number): string[] {
  const kept: string[] = [];
  let left = roomBytes;
  for (const key of keys) {
    left -= keyBytes(key);
    if (left < 0) break;
    kept.push(key);
  }
  return kept;
}

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;
/** With the comma after it. */
const keyBytes = (key: string): number => bytesOf(JSON.stringify(key)) + 1;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, next) => total + next, 0);
