// Ids of what the API creates.
import { randomUUID } from 'node:crypto';
import { type IdKind, makeId } from '../../core/ids.ts';

export function newId(kind: IdKind, nowMs: number): string {
  return makeId(kind, nowMs, randomUUID());
}
