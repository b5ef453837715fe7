// The change types in their usual order, and a sign for each where there is no room for a word.
import type { ChangeType } from '../../theme.ts';

export const CHANGE_TYPES = ['new', 'changed', 'deleted'] as const satisfies readonly ChangeType[];

export const CHANGE_SIGNS: Record<ChangeType, string> = { new: '+', changed: '~', deleted: '−' };
