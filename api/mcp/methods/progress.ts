// Tells a caller who asked for progress that a slow call is still running, and for how long.
import type { McpContext } from './mcp-context.ts';

const EVERY_MS = 1_000;

/** @param words what the call does: `Comparing snapshots` */
export async function withProgress<T>(
  { reportProgress }: McpContext,
  words: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (reportProgress === undefined || words === undefined) return work();
  const beganAtMs = performance.now();
  let told = -1;
  const tell = (): void => {
    const seconds = Math.round((performance.now() - beganAtMs) / 100) / 10;
    // The protocol wants it to grow each time.
    if (seconds <= told) return;
    told = seconds;
    reportProgress({ progress: seconds, message: `${words}: ${Math.floor(seconds)} s` });
  };
  tell();
  const timer = setInterval(tell, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
