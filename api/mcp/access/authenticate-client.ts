// Who calls at this door: whoever calls the API, and clients that people connected through OAuth.
import { ApiError } from '../../../core/errors.ts';
import { findConnectedCaller } from '../../../db/access/connected-clients.ts';
import { findVisibleRecord } from '../../../db/records/visible-records.ts';
import {
  type Authenticate,
  authenticate,
  isReference,
  refuseDashboardToken,
} from '../../access/authenticate.ts';

/** An access token of ours is 43 characters of base64url; keys and session tokens begin with `cat_`. */
const ACCESS_TOKEN = /^Bearer +((?!cat_)[\w-]{43})$/i;

/** @param audience what access tokens must have been issued for */
export function createClientAuthentication(audience: string): Authenticate {
  return async (db, authorization, reference) => {
    const [, token] = ACCESS_TOKEN.exec(authorization ?? '') ?? [];
    if (token === undefined) {
      refuseDashboardToken(authorization, 'make an API key for this client');
      return authenticate(db, authorization, reference);
    }
    const caller = await findConnectedCaller(db, token, audience);
    if (caller === undefined) {
      throw new ApiError('unauthenticated', 'This access token is unknown, revoked or expired.');
    }
    const named = reference !== undefined && isReference(reference) ? reference : undefined;
    if (named === undefined) return caller;
    return { ...caller, record: (await findVisibleRecord(db, caller.principal, named)) ?? null };
  };
}
