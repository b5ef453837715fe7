// Gives up a request that hangs, so that a dialog that waits for it can be closed again.

/** More than the server takes for any answer but a file. */
const LIMIT_MS = 100_000;

/** Also ends the reading of the answer, so do not use it for files. */
export const timeLimit = (): AbortSignal => AbortSignal.timeout(LIMIT_MS);

/** What is read may be a file, which takes as long as it takes. */
export const signalOf = ({ method, signal }: Request): AbortSignal =>
  method === 'GET' ? signal : AbortSignal.any([signal, timeLimit()]);
