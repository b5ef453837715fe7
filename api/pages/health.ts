// Health checks for load balancers and operators, without a credential: whether the process is alive, and whether it can
// work. A proxy excludes what all processes share (`/readyz?exclude=database&exclude=temporal`, as Kubernetes' own API server
// has it): without Temporal they still answer reads, and without the database they still say what is wrong.
import type { FastifyInstance } from 'fastify';
import { lookUp } from '../../db/driver/prepared.ts';
import { assertMigrated } from '../../db/migrate.ts';
import type { Services } from '../contract/context.ts';

const PROBE_TIMEOUT_MS = 3_000;
const PROBE = { config: { isProbe: true } } as const;

/** @param draining aborts when proxies should use other processes */
export function registerHealth(
  app: FastifyInstance,
  { db, temporal }: Services,
  draining: AbortSignal,
): void {
  app.get('/healthz', PROBE, () => ({ status: 'ok' }));
  // Not on connections of the pool, which callers may have taken: a process that is busy is ready.
  const probe = oneAtATime(() =>
    Promise.all([
      works(lookUp(db, 'select 1 as one', [])),
      works(assertMigrated(db, (sql) => lookUp(db, sql, []))),
      works(temporal.ping()),
    ]),
  );
  app.get<{ Querystring: { exclude?: string | string[] } }>('/readyz', PROBE, async (request, reply) => {
    if (draining.aborted) return reply.code(503).send({ status: 'shutting_down' });
    const [database, migrations, temporal] = await probe();
    const excluded = [request.query.exclude ?? []].flat();
    const missing = [
      ...(database ? [] : ['database']),
      // Without the database, nobody can tell.
      ...(migrations || !database ? [] : ['migrations']),
      ...(temporal ? [] : ['temporal']),
    ];
    const isReady = missing.every((name) => excluded.includes(name));
    if (!isReady) request.log.warn({ database, migrations, temporal }, 'not ready');
    return reply.code(isReady ? 200 : 503).send({
      status: isReady ? 'ready' : 'not_ready',
      database,
      migrations,
      temporal,
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
