// Gives up a request that hangs, so that a page or dialog that waits for it can offer to try again.

/** More than the server takes for any answer but a file. */
const LIMIT_MS = 100_000;

/** Also ends the reading of the answer, so do not use it for files. */
export const timeLimit = (): AbortSignal => AbortSignal.timeout(LIMIT_MS);

/** A file takes as long as it takes. */
export const signalOf = ({ url, signal }: Request): AbortSignal =>
  new URL(url).pathname.endsWith('/download') ? signal : AbortSignal.any([signal, timeLimit()]);
