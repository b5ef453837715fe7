// Signals that abort when nobody waits for an answer any more: the caller has left, or the process is about to end.
// AbortSignal.any() for each request would cost more than the rest of the door.
import type { FastifyReply } from 'fastify';

export function createGoneSignals(closing: AbortSignal): (reply: FastifyReply) => AbortSignal {
  const open = new Set<AbortController>();
  closing.addEventListener('abort', () => {
    for (const controller of open) controller.abort();
  });
  return ({ raw }) => {
    const controller = new AbortController();
    if (closing.aborted) controller.abort();
    open.add(controller);
    raw.once('close', () => {
      open.delete(controller);
      if (!raw.writableEnded) controller.abort();
    });
    return controller.signal;
  };
}
