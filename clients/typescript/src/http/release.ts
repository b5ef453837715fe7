// Follows a signal of the caller's for as long as it matters. A program may give one signal to all of its calls.

/** @returns a function that ends this, so that nothing is left in the signal */
export function onAbort(signal: AbortSignal | undefined, act: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => undefined;
  const listener = (): void => act(signal.reason);
  signal.addEventListener('abort', listener, { once: true });
  if (signal.aborted) listener();
  return () => signal.removeEventListener('abort', listener);
}

/** The same bytes. Calls `release` when they have ended or failed, or when nobody wants more of them. */
export function releasing(
  stream: ReadableStream<Uint8Array>,
  release: () => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  const read = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const { done, value } = await reader.read();
    if (!done) return controller.enqueue(value);
    release();
    controller.close();
  };
  return new ReadableStream(
    {
      pull: (controller) =>
        read(controller).catch((error: unknown) => {
          release();
          throw error;
        }),
      cancel: (reason) => {
        release();
        return reader.cancel(reason);
      },
    },
    // Nothing is read before it is wanted.
    { highWaterMark: 0 },
  );
}
