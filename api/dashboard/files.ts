// The dashboard's own files, as `npm run build` leaves them: compressed already, and named by their content under assets/.
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { join, sep } from 'node:path';

/** The names of these change with their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** These are asked for each time, and answered with 304 while they are the same. */
const ASKED_EACH_TIME = 'public, no-cache';

/** No page has such an address: what is asked for by it is a file, or is not there. Nothing hidden is meant by one. */
export const isFileName = (path: string): boolean => /^[\w-]+(\.[\w-]+)+$/.test(path);

/** Serves what lies in assets/, and lets replies send files from beside it. @param folder may be made later */
export async function registerFiles(app: FastifyInstance, folder: string): Promise<void> {
  const assets = join(folder, 'assets', sep);
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    suppressWarning: true,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'ignore',
    index: false,
    setHeaders: (reply, path) => {
      void reply.header('cache-control', path.startsWith(assets) ? FOR_EVER : ASKED_EACH_TIME);
    },
  });
  app.get<{ Params: { '*': string } }>('/assets/*', ({ params }, reply) =>
    isFileName(params['*']) ? reply.sendFile(`assets/${params['*']}`) : reply.callNotFound(),
  );
}
