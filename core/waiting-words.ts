// Why a workflow waits and for how long, for whoever looks at it in the Temporal UI.
import { durationInWords } from './durations.ts';

export function waitingWords(words: string, waitMs: number): string {
  if (waitMs <= 0) return `${words}\n\nNext attempt now.`;
  const at = new Date(Date.now() + waitMs).toISOString().replace(/\.\d+Z$/, 'Z');
  return `${words}\n\nNext attempt at ${at} (in ${durationInWords(waitMs)}).`;
}
