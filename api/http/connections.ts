// Ends connections: of responses that take too long, and of a process that shuts down.
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Belongs to one response each, and is collected with it. */
const deadlines = new WeakMap<FastifyReply['raw'], NodeJS.Timeout>();

/** Breaks the connection off unless the answer is out by then. A second call replaces the first. */
export function endAnswerAfter({ raw }: FastifyReply, timeoutMs: number): void {
  const earlier = deadlines.get(raw);
  if (earlier === undefined) raw.once('close', () => clearTimeout(deadlines.get(raw)));
  else clearTimeout(earlier);
  deadlines.set(raw, setTimeout(() => raw.destroy(), timeoutMs).unref());
}

const LOOK_EVERY_MS = 100;
/** A request that has not arrived whole by then is not waited for. */
const ARRIVE_WITHIN_MS = 5_000;

/** @param draining aborts when the process is about to end; requests are still taken, until the app closes */
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
      // Its headers were out before it could say so.
      if (isEnding) request.raw.socket.end();
    });
  });
  app.addHook('preClose', async () => {
    end();
    const closingSinceMs = performance.now();
    timer = setInterval(() => {
      if (app.server.listening) return;
      // What is left has sent no request, or a part of one. Node looks at these no more once it has been told to close.
      if (underWay.size === 0) app.server.closeAllConnections();
      if (performance.now() - closingSinceMs < ARRIVE_WITHIN_MS) return;
      for (const { request } of underWay) if (!request.raw.complete) request.raw.destroy();
    }, LOOK_EVERY_MS).unref();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}
