// Detects repeated keys. Keys in ascending order (by either of two orders) need no memory. After the first key out of order,
// all keys are kept, at about 25 bytes each.
import { createFingerprintTable, type FingerprintTable } from './fingerprint-table.ts';

export interface SeenKeys {
  /** Whether the keys before these must be remembered before these are added. */
  needsEarlier(read: () => readonly string[]): boolean;
  /** Remembers keys that were added before. */
  remember(keys: readonly string[]): void;
  /** Returns whether the key was added before. @throws Error a key before it must be remembered first */
  add(key: string): boolean;
}

type Order = (key: string, last: string) => boolean;

/** By their characters; or numbers of any length by their value. */
const ORDERS: readonly Order[] = [
  (key, last) => key > last,
  (key, last) => key.length > last.length || (key.length === last.length && key > last),
];

export function createSeenKeys(): SeenKeys {
  let table: FingerprintTable | undefined;
  let orders = ORDERS;
  let last: string | undefined;
  return {
    needsEarlier(read) {
      if (table !== undefined) return false;
      let [left, before] = [orders, last];
      for (const key of read()) {
        left = inOrder(left, key, before);
        if (left.length === 0) return true;
        before = key;
      }
      return false;
    },
    remember(keys) {
      table ??= createFingerprintTable();
      for (const key of keys) table.add(key);
    },
    add(key) {
      if (table !== undefined) return table.add(key) > 1;
      orders = inOrder(orders, key, last);
      if (orders.length === 0) throw new Error('The keys before must be remembered');
      last = key;
      return false;
    },
  };
}

function inOrder(orders: readonly Order[], key: string, last: string | undefined): readonly Order[] {
  if (last === undefined || orders.every((comes) => comes(key, last))) return orders;
  return orders.filter((comes) => comes(key, last));
}
