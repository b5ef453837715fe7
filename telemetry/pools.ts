// Metrics of database connections, by the semantic conventions for connection pools:
// https://opentelemetry.io/docs/specs/semconv/database/database-metrics/
import { type Database, poolCounts } from '../db/driver/knex.ts';
import { type Observation, observeAmount } from './instruments.ts';

const NAME = 'db.client.connection.pool.name';
const STATE = 'db.client.connection.state';

type Counts = ReturnType<typeof poolCounts>;

/** @param pools by name */
export function observePools(pools: Readonly<Record<string, Database>>): void {
  const each = (values: (counts: Counts, attributes: { [NAME]: string }) => Observation[]) => () =>
    Object.entries(pools).flatMap(([name, db]) => values(poolCounts(db), { [NAME]: name }));
  observeAmount(
    'db.client.connection.count',
    { unit: '{connection}', description: 'Connections by state.' },
    each(({ used, idle }, pool) => [
      { value: used, attributes: { ...pool, [STATE]: 'used' } },
      { value: idle, attributes: { ...pool, [STATE]: 'idle' } },
    ]),
  );
  observeAmount(
    'db.client.connection.max',
    { unit: '{connection}', description: 'Connections that the pool may hold.' },
    each(({ max }, attributes) => [{ value: max, attributes }]),
  );
  observeAmount(
    'db.client.connection.pending_requests',
    { unit: '{request}', description: 'Callers that wait for a connection.' },
    each(({ pending }, attributes) => [{ value: pending, attributes }]),
  );
}
