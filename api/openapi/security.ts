// Kinds of credentials, and which of them an operation accepts.
import type { ScopedOperation } from '../contract/operation.ts';
import type { JsonObject } from './named-schemas.ts';

const bearer = (bearerFormat: string, description: string): JsonObject => ({
  type: 'http',
  scheme: 'bearer',
  bearerFormat,
  description,
});

export const SECURITY_SCHEMES = {
  AccountKey: bearer(
    'cat_live_…',
    'An API key of an account, for all of its records. Its scope is `full` (everything), `read` (all reads), `download` ' +
      '(files of rows only) or `feed` (the Atom feed only).',
  ),
  RecordKey: bearer(
    'cat_src_…',
    'An API key for one record, with the scope `read`, `download` or `feed`. It cannot access other records, and `self` ' +
      'means its record in every path.',
  ),
  SessionToken: bearer(
    'cat_eph_…',
    'The token of an anonymous session. It controls its one record, `self` in every path, until the session ends ' +
      'after 24 hours. It cannot create keys or webhooks.',
  ),
  KeyInUrl: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description:
      'An API key with the scope `feed`, for programs that send no headers. No other key works in a URL.',
  },
} as const;

/** The kinds of credential that an operation accepts, each with the required scope. */
export function securityOf({
  scope,
  accountOnly = false,
  lock,
  takesTokenInUrl = false,
}: ScopedOperation): JsonObject[] {
  return [
    { AccountKey: [scope] },
    ...(accountOnly || scope === 'full' ? [] : [{ RecordKey: [scope] }]),
    // A session token has no scope: it controls its record.
    ...(accountOnly || lock !== undefined ? [] : [{ SessionToken: [] }]),
    ...(takesTokenInUrl ? [{ KeyInUrl: [] }] : []),
  ];
}

/** The same in words. */
export function accessInWords({ scope, accountOnly = false, lock }: ScopedOperation): string {
  const wider = { full: '', read: ' or `full`', download: ', `read` or `full`', feed: ', `read` or `full`' }[
    scope
  ];
  const sentences = [`Needs the scope \`${scope}\`${wider}${accountOnly ? ', of an account key' : ''}.`];
  if (lock !== undefined && lock.creates !== false) {
    sentences.push(
      `${lock.feature} become available to the whole account when one of its records is on the tier \`watch\` or \`max\`.`,
    );
    if (lock.creates === 'except mails') sentences.push('Those that send mails need no paid tier.');
  }
  if (lock !== undefined) sentences.push('Not available to sessions.');
  return sentences.join(' ');
}
