// The root route: links to everything else.
import type { FastifyInstance } from 'fastify';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { Negotiator } from 'negotiator';
import { PAGE_FILE } from './dashboard.ts';

/**
 * Redirects browsers to the dashboard, or to the reference if no dashboard is built. Other clients get the addresses as
 * JSON.
 * @param dashboardFolder of the built files, which may not exist
 */
export function registerRoot(app: FastifyInstance, baseUrl: string, dashboardFolder: string): void {
  const links = {
    dashboard: `${baseUrl}/dashboard/`,
    docs: `${baseUrl}/docs`,
    openapi: `${baseUrl}/v1/openapi.json`,
    errors: `${baseUrl}/docs/errors`,
    mcp: `${baseUrl}/v1/mcp`,
  };
  app.get('/', async ({ headers }, reply) => {
    const isBrowser =
      new Negotiator({ headers }).mediaType(['application/json', 'text/html']) === 'text/html';
    const location = isBrowser && (await isBuilt(dashboardFolder)) ? 'dashboard/' : 'docs';
    return reply.code(302).headers({ location, vary: 'Accept' }).send(links);
  });
}

const isBuilt = (folder: string): Promise<boolean> =>
  access(join(folder, PAGE_FILE)).then(
    () => true,
    () => false,
  );
