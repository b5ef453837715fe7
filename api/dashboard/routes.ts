// The dashboard under /dashboard/: files and one page. What it shows, it asks the API for like any other client.
import type { FastifyInstance } from 'fastify';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../core/config.ts';
import { smallestIntervalSeconds } from '../../core/tiers.ts';
import { isFileName, registerFiles } from './files.ts';
import { PAGE_FILE, sendPage } from './page.ts';

/** Where `npm run build` puts it. */
export const BUILT_DASHBOARD = fileURLToPath(new URL('../../dashboard/dist/', import.meta.url));

/** @param folder of the built files; it may be made later, and changed */
export function registerDashboard(app: FastifyInstance, config: Config, folder: string): void {
  // Relative, wherever a proxy puts it.
  app.get('/dashboard', (_request, reply) => reply.redirect('dashboard/', 308));
  void app.register(
    async (dashboard) => {
      await registerFiles(dashboard, folder);
      dashboard.get('/settings.json', (_request, reply) => reply.send(settingsOf(config)));
      dashboard.get<{ Params: { '*': string } }>('/*', ({ params: { '*': path } }, reply) =>
        isFileName(path) && path !== PAGE_FILE ? reply.sendFile(path) : sendPage(reply, folder),
      );
    },
    { prefix: '/dashboard' },
  );
}

/** What the page has to know of this installation. Anybody may read this. */
function settingsOf({ baseUrl, minCheckSeconds, upgradeUrl }: Config) {
  return {
    baseUrl,
    upgradeUrl: upgradeUrl === '' ? null : upgradeUrl,
    smallestIntervalSeconds: {
      anonymous: smallestIntervalSeconds('anonymous', minCheckSeconds),
      free: smallestIntervalSeconds('free', minCheckSeconds),
      watch: smallestIntervalSeconds('watch', minCheckSeconds),
      max: smallestIntervalSeconds('max', minCheckSeconds),
    },
  };
}
