// A form's unsaved values: the changed fields, and the record's own values elsewhere.
import { useState } from 'react';

export interface Draft<T> {
  value: T;
  set: (change: Partial<T>) => void;
  /** The fields that differ. */
  changes: Partial<T>;
  isChanged: boolean;
  undo: () => void;
}

/**
 * Fields that nobody has edited keep showing the record's values.
 * @param suggested the first unsaved values
 */
export function useDraft<T extends object>(saved: T, suggested: Partial<T> = {}): Draft<T> {
  const [touched, setTouched] = useState(suggested);
  const value = { ...saved, ...touched };
  const changes: Partial<T> = {};
  // `touched` has keys of T only.
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
