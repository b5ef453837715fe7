// Signals that abort when a client disconnects or the process stops. Each is a controller of its own, because AbortSignal.any keeps
// 33 KB for each call as long as one of its signals lives.
import type { FastifyReply } from 'fastify';

/**
 * @param closing aborts when the process is about to end
 * @returns a function that gives the signal of a response: it aborts with `closing`, or when the caller disconnects
 */
export function createGoneSignals(closing: AbortSignal): (reply: FastifyReply) => AbortSignal {
  const open = new Set<AbortController>();
  closing.addEventListener('abort', () => {
    for (const controller of open) controller.abort();
  });
  return ({ raw }) => {
    const controller = new AbortController();
    if (closing.aborted || raw.destroyed) controller.abort();
    open.add(controller);
    raw.once('close', () => {
      open.delete(controller);
      if (!raw.writableEnded) controller.abort();
    });
    return controller.signal;
  };
}
