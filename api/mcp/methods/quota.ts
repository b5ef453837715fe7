// How many tools a caller may call: a session so many in its life, an account so many a day.
import { ApiError } from '../../../core/errors.ts';
import type { Principal } from '../../../core/principal.ts';
import { TIERS } from '../../../core/tiers.ts';
import type { CountCall } from '../../../db/usage/count-calls.ts';
import { accountCallsSubject, sessionCallsSubject } from '../../../db/usage/usage-counters.ts';

/** Counts one call, whatever becomes of it. @throws ApiError rate_limited when it is one too many */
export async function takeCall(countCall: CountCall, principal: Principal): Promise<void> {
  const limit = TIERS[principal.tier].mcpCallsPerDay;
  if (principal.kind === 'ephemeral') {
    const { isTaken } = await countCall(sessionCallsSubject(principal.credentialId), 'ever', limit);
    if (isTaken) return;
    throw new ApiError(
      'rate_limited',
      `All ${limit} tool calls of this session are used. The REST API still answers; to go on here, keep the record in an account (POST /v1/sources/self/keep) and connect with a key of that account.`,
    );
  }
  const { isTaken, resetInSeconds } = await countCall(accountCallsSubject(principal.accountId), 'day', limit);
  if (isTaken) return;
  throw new ApiError(
    'rate_limited',
    `All ${limit} tool calls that this account has today are used. The next day begins at 00:00 UTC; a higher tier has more, and the REST API still answers.`,
    resetInSeconds === null ? {} : { retryAfterSeconds: resetInSeconds },
  );
}
