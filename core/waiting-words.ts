// Why a workflow waits and until when, for whoever looks at it in the Temporal UI.
import { timeInWords } from './durations.ts';

export function waitingWords(words: string, waitMs: number): string {
  if (waitMs <= 0) return `${words}\n\nNext attempt now.`;
  return `${words}\n\nNext attempt at ${timeInWords(Date.now() + waitMs)}.`;
}
