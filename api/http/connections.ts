// Closes connections: those with a response that takes too long, and all when the process shuts down.
import type { FastifyInstance, FastifyReply } from 'fastify';

/** An entry belongs to one response, and goes with it. */
const deadlines = new WeakMap<FastifyReply['raw'], NodeJS.Timeout>();

/** Ends the response if it is not sent in time, or if its connection is idle. A second call replaces the first. */
export function endAnswerAfter(reply: FastifyReply, timeoutMs: number): void {
  const { raw } = reply;
  const earlier = deadlines.get(raw);
  clearTimeout(earlier);
  if (earlier === undefined) {
    raw.once('close', () => clearTimeout(deadlines.get(raw)));
    // Without a listener, Node closes an idle connection as if the response were complete.
    raw.once('timeout', () => endAnswer(reply));
  }
  deadlines.set(raw, setTimeout(() => endAnswer(reply), timeoutMs).unref());
}

/**
 * Ends a response that is not complete. HTTP/1.0 clients (nginx, by default) would take a closed connection for the end of the
 * content; a reset is unambiguous.
 */
export function endAnswer({ raw }: FastifyReply): void {
  if (raw.socket !== null && raw.headersSent && !raw.writableFinished) raw.socket.resetAndDestroy();
  else raw.destroy();
}

const LOOK_EVERY_MS = 100;
/** Closing waits this long for incomplete requests. */
const ARRIVE_WITHIN_MS = 5_000;

/** @param draining aborts before the process ends. Requests are still accepted until the app closes. */
export function drainConnections(app: FastifyInstance, draining: AbortSignal): void {
  const underWay = new Set<FastifyReply>();
  let isEnding = false;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    isEnding = true;
    for (const { raw } of underWay) raw.shouldKeepAlive = false;
  };
  draining.addEventListener('abort', end, { once: true });
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = reply;
    if (isEnding) raw.shouldKeepAlive = false;
    underWay.add(reply);
    raw.once('close', () => {
      underWay.delete(reply);
      // The response's headers were sent before the shutdown, so they did not announce the end of the connection.
      if (isEnding) request.raw.socket.end();
    });
  });
  app.addHook('preClose', async () => {
    end();
    const closingSinceMs = performance.now();
    timer = setInterval(() => {
      if (app.server.listening) return;
      // The rest are idle, or have sent part of a request. Node no longer closes these itself once it is closing.
      if (underWay.size === 0) app.server.closeAllConnections();
      if (performance.now() - closingSinceMs < ARRIVE_WITHIN_MS) return;
      for (const { request } of underWay) if (!request.raw.complete) request.raw.destroy();
    }, LOOK_EVERY_MS).unref();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}
