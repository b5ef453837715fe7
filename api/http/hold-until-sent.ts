// Holds what an answer takes until it is sent, or its caller is gone.
import type { FastifyReply } from 'fastify';
import type { Release } from '../../core/limiter.ts';

export function holdUntilSent({ raw }: FastifyReply, release: Release): void {
  if (raw.destroyed) release();
  else raw.once('close', release);
}
