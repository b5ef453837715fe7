// One connection outside of any pool, for programs that ask PostgreSQL something before or instead of opening a pool.
import { Client } from 'pg';

/**
 * Connects, runs `work`, and closes the connection whatever happens.
 * @throws what connecting or `work` throws
 */
export async function connectOnce<T>(
  connectionString: string,
  work: (client: Pick<Client, 'query'>) => Promise<T>,
  connectionTimeoutMillis = 0,
): Promise<T> {
  const client = new Client({ connectionString, connectionTimeoutMillis });
  // The failed call throws as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
