// What stands at /: where everything else is, for whoever knows the address alone.
import type { FastifyInstance } from 'fastify';

/** A browser goes on to the reference; others read where it is. */
export function registerFrontDoor(app: FastifyInstance, baseUrl: string): void {
  const places = {
    docs: `${baseUrl}/docs`,
    openapi: `${baseUrl}/v1/openapi.json`,
    errors: `${baseUrl}/docs/errors`,
    mcp: `${baseUrl}/v1/mcp`,
  };
  app.get('/', (_request, reply) => reply.code(302).header('location', 'docs').send(places));
}
