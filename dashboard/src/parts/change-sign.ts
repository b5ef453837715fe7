// The sign of each kind of change, where there is no room for a word.
import type { ChangeType } from '../theme.ts';

export const CHANGE_SIGNS: Record<ChangeType, string> = { new: '+', changed: '~', deleted: '−' };
