// Health checks for load balancers and operators, without a credential: whether the process is alive, and whether it can
// work.
import type { FastifyInstance } from 'fastify';
import { lookUp } from '../../db/driver/prepared.ts';
import { assertMigrated } from '../../db/migrate.ts';
import type { Services } from '../contract/context.ts';

const PROBE_TIMEOUT_MS = 3_000;

/** @param draining aborts when proxies should use other processes */
export function registerHealth(
  app: FastifyInstance,
  { db, temporal }: Services,
  draining: AbortSignal,
): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  // Not on connections of the pool, which callers may have taken: a process that is busy is ready.
  const probe = oneAtATime(() =>
    Promise.all([
      works(lookUp(db, 'select 1 as one', [])),
      works(assertMigrated(db, (sql) => lookUp(db, sql, []))),
      works(temporal.ping()),
    ]),
  );
  app.get('/readyz', async (request, reply) => {
    if (draining.aborted) return reply.code(503).send({ status: 'shutting_down' });
    const [database, migrations, workflows] = await probe();
    const isReady = database && migrations && workflows;
    if (!isReady) request.log.warn({ database, migrations, temporal: workflows }, 'not ready');
    return reply.code(isReady ? 200 : 503).send({
      status: isReady ? 'ready' : 'not_ready',
      database,
      migrations,
      temporal: workflows,
    });
  });
}

/** Callers share a running probe, so that anyone may call as often as they like. */
function oneAtATime<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () =>
    (running ??= run().finally(() => {
      running = undefined;
    }));
}

async function works(probe: PromiseLike<unknown>): Promise<boolean> {
  const timeout = new Promise<boolean>((resolve) => {
    setTimeout(resolve, PROBE_TIMEOUT_MS, false).unref();
  });
  const answer = Promise.resolve(probe).then(
    () => true,
    () => false,
  );
  return Promise.race([answer, timeout]);
}
