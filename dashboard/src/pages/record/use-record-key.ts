// Tells the records of one address after another apart, so that what is typed for one is not kept for the next.
import { useState } from 'react';

/**
 * @param id undefined while the record is being loaded
 * @returns a key that changes with the record; not when it has been loaded, and not when it gets another slug
 */
export function useRecordKey(ref: string, id: string | undefined): number {
  const [shown, setShown] = useState({ ref, id, key: 0 });
  if (shown.ref === ref && (id === undefined || id === shown.id)) return shown.key;
  const isSame = shown.id === undefined ? shown.ref === ref : shown.id === id;
  const next = { ref, id, key: isSame ? shown.key : shown.key + 1 };
  setShown(next);
  return next.key;
}
