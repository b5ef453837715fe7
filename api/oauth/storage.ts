// The authorization server's storage, as its library asks for it (oidc-provider's adapter).
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
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
 * Two requests of one client may refresh at the same time, or an answer may be lost: the token before works so much
 * longer. Later, its use is taken for theft, and ends all tokens of the grant (RFC 9700 4.14.2).
 */
const REFRESH_GRACE_SECONDS = 10;

/** Of one kind of object. Tokens and codes are their own ids: what is stored is a hash, and the rest without them. */
export function oauthStorage(
  db: Database,
  kind: string,
  /** Runs a look-up in its turn. */
  inTurn: <T>(look: () => Promise<T>) => Promise<T> = (look) => look(),
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
      // What a client said at its registration that it would ask for must not keep it from asking for more later.
      const payload = kind === 'Client' || scope === undefined ? rest : { ...rest, scope };
      return putOAuthObject(db, {
        kind,
        id,
        payload,
        // Browser sessions are looked for by this name, and by nothing else.
        uid: kind === 'Session' ? payload.uid : undefined,
        grantId: kind === 'Grant' ? id : payload.grantId,
        // The library hands over NaN for what does not end.
        lengthSeconds: Number.isFinite(expiresIn) ? Number(expiresIn) : null,
      });
    },
    find: async (id) => revive(id, await inTurn(() => findOAuthObject(db, kind, id))),
    findByUid: async (uid) => revive(undefined, await findOAuthObjectByUid(db, kind, uid)),
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const isFirst = await consumeOAuthObject(db, kind, id);
      if (isFirst || kind !== 'AuthorizationCode') return;
      // Two had the code at the same time. Which of them stole it, nobody knows: neither keeps its tokens.
      const grantId = (await findOAuthObject(db, kind, id))?.payload['grantId'];
      if (typeof grantId === 'string') await deleteGrant(db, grantId);
      throw new errors.InvalidGrant('code already used');
    },
    destroy: (id) => deleteOAuthObject(db, kind, id),
    revokeByGrantId: (grantId) => deleteGrant(db, grantId),
  };
}
