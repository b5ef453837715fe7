// What a form holds before it is saved: the fields that differ from the record, and the record's own elsewhere.
import { useState } from 'react';

export interface Draft<T> {
  value: T;
  set: (change: Partial<T>) => void;
  /** The fields that differ. */
  changes: Partial<T>;
  isChanged: boolean;
  undo: () => void;
}

/** What the record says goes on showing in the fields that nobody has touched. */
export function useDraft<T extends object>(saved: T): Draft<T> {
  const [touched, setTouched] = useState<Partial<T>>({});
  const value = { ...saved, ...touched };
  const changes: Partial<T> = {};
  // Own names of T alone stand in what was made of it.
  for (const name of Object.keys(touched) as (keyof T)[]) {
    if (!isSame(value[name], saved[name])) changes[name] = value[name];
  }
  return {
    value,
    set: (change) => setTouched((before) => ({ ...before, ...change })),
    changes,
    isChanged: Object.keys(changes).length > 0,
    undo: () => setTouched({}),
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
