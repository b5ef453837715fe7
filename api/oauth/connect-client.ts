// Makes the grant that a client's tokens hang on, and writes the client down for the account's owner to see.
import type { InteractionResults, Provider } from 'oidc-provider';
import type { Scope } from '../../core/principal.ts';
import type { Database } from '../../db/knex.ts';
import { insertConnectedClient } from '../../db/connected-clients.ts';
import { newId } from '../new-id.ts';
import { mcpResource } from './provider.ts';
import { decide } from './scopes.ts';

export interface Connection {
  accountId: string;
  clientId: string;
  clientName: string;
  scope: Scope;
}

/** @returns what the authorization server goes on with */
export async function connectClient(
  provider: Provider,
  db: Database,
  { accountId, clientId, clientName, scope }: Connection,
): Promise<InteractionResults> {
  const grant = new provider.Grant({ accountId, clientId });
  const resource = mcpResource(provider.issuer);
  const { granted, refused } = decide(scope);
  // The library also counts these among its own, because clients register with them.
  grant.addOIDCScope(granted);
  grant.addResourceScope(resource, granted);
  if (refused !== '') {
    grant.rejectOIDCScope(refused);
    grant.rejectResourceScope(resource, refused);
  }
  const grantId = await grant.save();
  const id = newId('connectedClient', Date.now());
  await insertConnectedClient(db, { id, accountId, clientId, name: clientName, grantId, scope });
  return { login: { accountId, remember: false }, consent: { grantId } };
}
