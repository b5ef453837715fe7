// The server for comparison: Fastify and pg alone. Runs the statements of a route, and sends the bytes that it was given.
import { fastify } from 'fastify';
import pg from 'pg';
import type { BareRoute } from './reads.ts';

export interface BareOrder {
  databaseUrl: string;
  routes: BareRoute[];
}

export interface BareAnswer {
  url: string;
}

process.once('message', (order: BareOrder) => {
  void serve(order).then((url) => process.send?.({ url } satisfies BareAnswer));
});
process.once('disconnect', () => process.exit());

async function serve({ databaseUrl, routes }: BareOrder): Promise<string> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const byUrl = new Map(routes.map((route) => [route.path, route]));
  const app = fastify();
  app.get('/nothing', async () => '{}');
  const paths = ['delta/latest', 'delta', 'snapshot-rows'];
  for (const path of paths) {
    app.get(`/v1/sources/:id/${path}`, async (request, reply) => {
      const route = byUrl.get(request.url);
      if (route === undefined) throw new Error('There is no such route');
      for (const statement of route.statements) await pool.query({ ...statement });
      return reply.type('application/json; charset=utf-8').send(route.body);
    });
  }
  return app.listen({ host: '127.0.0.1', port: 0 });
}
