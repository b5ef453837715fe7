// Another process of the MCP server: an app of its own with the services of a test's API.
import { fastify, type FastifyInstance } from 'fastify';
import { createCapacity } from '../../../api/capacity/capacity.ts';
import { createFeedListeners } from '../../../api/capacity/feed-listeners.ts';
import { createRateLimits } from '../../../api/access/rate-limits.ts';
import { registerMcp } from '../../../api/mcp/routes.ts';
import { createCallCounter } from '../../../db/usage/count-calls.ts';
import type { TestApi } from './api.ts';

/** Call it once the API has started. The app is not listening yet. @param recheckMs as for registerMcp */
export async function createMcpApp({ services, db }: TestApi, recheckMs?: number): Promise<FastifyInstance> {
  const app = fastify({ forceCloseConnections: true });
  app.decorateRequest('caller', null);
  app.decorateRequest('address', '');
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  const capacity = createCapacity();
  const feeds = createFeedListeners(db, services.log, capacity);
  app.addHook('onClose', feeds.close);
  const context = {
    services: { ...services, capacity, countCall: createCallCounter(db), feeds },
    rateLimits: createRateLimits({ multiplier: 1_000 }),
    closing: closing.signal,
    timeouts: {},
  };
  await app.register(async (mcp) => registerMcp(mcp, context, recheckMs));
  return app;
}
