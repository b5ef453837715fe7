// How long an answer may take: also one that is read a byte at a time, which never stands still.
import type { FastifyReply } from 'fastify';

const deadlines = new WeakMap<FastifyReply['raw'], NodeJS.Timeout>();

/** Breaks the connection off unless the answer is out by then. A second call replaces the first. */
export function endAnswerAfter({ raw }: FastifyReply, timeoutMs: number): void {
  const earlier = deadlines.get(raw);
  if (earlier === undefined) raw.once('close', () => clearTimeout(deadlines.get(raw)));
  else clearTimeout(earlier);
  deadlines.set(raw, setTimeout(() => raw.destroy(), timeoutMs).unref());
}
