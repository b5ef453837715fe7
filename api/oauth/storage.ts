// Storage adapter of the authorization server (oidc-provider).
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { AuditSource } from '../../core/audit.ts';
import { insertAuditEntry } from '../../db/accounts/audit-log.ts';
import { lockClientOfGrant } from '../../db/access/connected-clients.ts';
import type { Database } from '../../db/driver/knex.ts';
import {
  consumeOAuthObject,
  deleteOAuthObject,
  deleteGrant,
  findOAuthObject,
  findOAuthObjectByUid,
  putOAuthObject,
} from '../../db/access/oauth-objects.ts';

/**
 * Concurrent refreshes of one client, or a lost response, may reuse the previous token: it stays valid this long. Later use
 * counts as theft and ends all tokens of the grant (RFC 9700, 4.14.2).
 */
const REFRESH_GRACE_SECONDS = 10;

/** For one kind of object. Tokens and codes are their own ids, so their hash is stored, and the payload without them. */
export function oauthStorage(
  db: Database,
  kind: string,
  /** Runs a look-up under a limit. */
  inTurn: <T>(look: () => Promise<T>) => Promise<T> = (look) => look(),
  originOfCall: () => AuditSource = () => OWN_ORIGIN,
): Adapter {
  const revive = (
    id: string | undefined,
    found: Awaited<ReturnType<typeof findOAuthObject>>,
  ): AdapterPayload | undefined => {
    if (found === undefined) return undefined;
    const { payload, consumedAt } = found;
    const graceSeconds = kind === 'RefreshToken' ? REFRESH_GRACE_SECONDS : 0;
    const isConsumed = consumedAt !== null && consumedAt + graceSeconds <= Date.now() / 1_000;
    return {
      ...payload,
      ...(id === undefined ? {} : { jti: id }),
      ...(isConsumed ? { consumed: Math.floor(consumedAt) } : {}),
    };
  };
  return {
    upsert: (id, { jti: _id, scope, ...rest }, expiresIn) => {
      // The scope of a registration is dropped, so that it does not limit later requests.
      const payload = kind === 'Client' || scope === undefined ? rest : { ...rest, scope };
      return putOAuthObject(db, {
        kind,
        id,
        payload,
        // The library looks for browser sessions by uid, and for nothing else.
        uid: kind === 'Session' ? payload.uid : undefined,
        grantId: kind === 'Grant' ? id : payload.grantId,
        // The library passes NaN for objects that do not expire.
        lengthSeconds: Number.isFinite(expiresIn) ? Number(expiresIn) : null,
      });
    },
    find: async (id) => revive(id, await inTurn(() => findOAuthObject(db, kind, id))),
    findByUid: async (uid) => revive(undefined, await findOAuthObjectByUid(db, kind, uid)),
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const isFirst = await consumeOAuthObject(db, kind, id);
      if (isFirst || kind !== 'AuthorizationCode') return;
      // Two requests used the code at the same time. Nobody knows which one is the thief, so both lose their tokens.
      const grantId = (await findOAuthObject(db, kind, id))?.payload['grantId'];
      if (typeof grantId === 'string') await endGrant(db, grantId, originOfCall());
      throw new errors.InvalidGrant('code already used');
    },
    destroy: (id) => deleteOAuthObject(db, kind, id),
    revokeByGrantId: (grantId) => endGrant(db, grantId, originOfCall()),
  };
}

/** Outside of a request. */
const OWN_ORIGIN: AuditSource = { door: 'oauth', ip: null, userAgent: null, requestId: null };

/** The library calls it once for each kind of token. The first call ends the connection, if there is one. */
function endGrant(db: Database, grantId: string, origin: AuditSource): Promise<void> {
  return db.transaction(async (trx) => {
    const client = await lockClientOfGrant(trx, grantId);
    if (client !== undefined) {
      const { id: actorId, accountId } = client;
      await insertAuditEntry(trx, {
        accountId,
        action: 'client.disconnect',
        actorId,
        target: client,
        origin,
      });
    }
    await deleteGrant(trx, grantId);
  });
}
