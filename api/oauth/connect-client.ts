// Makes the grant that a client's tokens hang on, and writes the client down for the account's owner to see.
import type { InteractionResults, Provider } from 'oidc-provider';
import type { Scope } from '../../core/principal.ts';
import { lockAccount } from '../../db/accounts/accounts.ts';
import type { Database } from '../../db/driver/knex.ts';
import { insertConnectedClient } from '../../db/access/connected-clients.ts';
import { lockLogin } from '../../db/access/login-sessions.ts';
import { deleteGrant } from '../../db/access/oauth-objects.ts';
import { signedOut } from '../auth/library-errors.ts';
import { newId } from '../contract/new-id.ts';
import { mcpResource } from './provider.ts';
import { decide } from './scopes.ts';

export interface Connection {
  accountId: string;
  clientId: string;
  clientName: string;
  scope: Scope;
  /** The login of who decides; undefined for who has shown a key. */
  sessionId?: string | undefined;
}

/**
 * @returns what the authorization server goes on with
 * @throws ApiError unauthenticated when the session of who decides has ended: nothing is connected then
 */
export async function connectClient(
  provider: Provider,
  db: Database,
  { accountId, clientId, clientName, scope, sessionId }: Connection,
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
  try {
    await db.transaction(async (trx) => {
      await lockAccount(trx, accountId);
      if (sessionId !== undefined && !(await lockLogin(trx, sessionId))) throw signedOut();
      await insertConnectedClient(trx, { id, accountId, clientId, name: clientName, grantId, scope });
    });
  } catch (error) {
    await deleteGrant(db, grantId);
    throw error;
  }
  return { login: { accountId, remember: false }, consent: { grantId } };
}
