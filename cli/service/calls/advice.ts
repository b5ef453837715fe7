// What a person can do about an error of the API, and the exit code that it ends with.
import type { ApiError } from '../../../clients/typescript/src/errors.ts';
import { EXIT } from '../../operator/fail.ts';
import { isGiven } from './in-options.ts';

/** As those of the operator's commands, and one for credentials. */
const DENIED = 4;

const BY_STATUS: Readonly<Record<number, number>> = {
  400: EXIT.misuse,
  401: DENIED,
  402: DENIED,
  403: DENIED,
  404: EXIT.noSuchThing,
  410: EXIT.noSuchThing,
  422: EXIT.misuse,
};

export const exitCodeOf = (status: number): number => BY_STATUS[status] ?? EXIT.failed;

/** What the user has typed, and where the key comes from; undefined if there is none. */
export interface Asked {
  args: readonly string[];
  keyFrom: 'RECORDWATCH_API_KEY' | 'login' | undefined;
}

const ADVICE: Readonly<Record<string, (asked: Asked) => string>> = {
  unauthenticated: ({ keyFrom }) =>
    keyFrom === 'RECORDWATCH_API_KEY'
      ? 'The key in RECORDWATCH_API_KEY is wrong, revoked or expired. Set another one, or unset it and log in with “recordwatch login”.'
      : 'Log in with “recordwatch login”, because the key is wrong, revoked or expired.',
  insufficient_scope: () =>
    'Use a key with a larger scope. “recordwatch whoami” shows the scope of this one.',
  not_found: ({ args }) => whereToLook(args),
  unreadable: () => 'This is not an answer of Recordwatch. Check the address.',
};

export function adviceFor(
  { code, retryAfterMs, upgradeUrl, requestId }: ApiError,
  asked: Asked,
): string | undefined {
  if (upgradeUrl !== undefined) return `Get a paid tier: ${upgradeUrl}`;
  if (retryAfterMs !== undefined) return `Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
  if (code === 'internal')
    return `Try again, or give the operator of the service this request id: ${requestId}`;
  return ADVICE[code]?.(asked);
}

const RECORDS = '“recordwatch records” lists the records that this key reaches';

/** The API does not say which of the things that a command names is not there. */
function whereToLook(args: readonly string[]): string {
  const [group, action] = args;
  const isOfRecord = isGiven('--record', args);
  if (group === 'webhooks' && isGiven('--account', args))
    return '“recordwatch webhooks” lists the webhooks of the account.';
  if (group === 'webhooks') return `${RECORDS}, and “recordwatch webhooks RECORD” the webhooks of one.`;
  if (group === 'keys' && action === 'revoke' && !isOfRecord)
    return '“recordwatch keys” lists the keys of the account.';
  if (group === 'keys' && action === 'revoke')
    return `${RECORDS}, and “recordwatch keys --record RECORD” the keys of one.`;
  if (isGiven('--snapshot', args)) return `${RECORDS}. Without --snapshot you get the latest version.`;
  if (isGiven('--event', args)) {
    return `${RECORDS}. “recordwatch tail RECORD --since start --json” prints the ids of its changes; --event latest is the latest.`;
  }
  return `${RECORDS}.`;
}
