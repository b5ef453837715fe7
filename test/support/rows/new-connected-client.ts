// Creates a client that is connected to an account through OAuth, without tokens.
import { insertConnectedClient } from '../../../db/access/connected-clients.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { newTestId } from './factories.ts';

/** @returns its id */
export async function makeConnectedClient(db: Database, accountId: string): Promise<string> {
  const id = newTestId('connectedClient');
  const client = { id, accountId, clientId: 'https://client.example/id', name: 'A client' };
  await insertConnectedClient(db, { ...client, grantId: id, scope: 'read' });
  return id;
}
