// What stands at /: where everything else is, for whoever knows the address alone.
import type { FastifyInstance } from 'fastify';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { PAGE_FILE } from './dashboard.ts';

/**
 * A browser goes on to the dashboard, or to the reference where no dashboard is built; others read where everything is.
 * @param dashboardFolder of the built files, if they are there
 */
export function registerRoot(app: FastifyInstance, baseUrl: string, dashboardFolder: string): void {
  const places = {
    dashboard: `${baseUrl}/dashboard/`,
    docs: `${baseUrl}/docs`,
    openapi: `${baseUrl}/v1/openapi.json`,
    errors: `${baseUrl}/docs/errors`,
    mcp: `${baseUrl}/v1/mcp`,
  };
  app.get('/', async ({ headers }, reply) => {
    const isBrowser = headers.accept?.includes('text/html') === true;
    const location = isBrowser && (await isBuilt(dashboardFolder)) ? 'dashboard/' : 'docs';
    return reply.code(302).headers({ location, vary: 'Accept' }).send(places);
  });
}

const isBuilt = (folder: string): Promise<boolean> =>
  access(join(folder, PAGE_FILE)).then(
    () => true,
    () => false,
  );
