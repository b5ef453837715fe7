// Who is calling and what they may do: scopes, and the principal of a credential.
import type { Tier } from './tiers.ts';

export const SCOPES = ['feed', 'download', 'read', 'full'] as const;

/** `full` allows everything, `read` all reads, `download` only files of rows, `feed` only the Atom feed. */
export type Scope = (typeof SCOPES)[number];

const INCLUDED: Readonly<Record<Scope, readonly Scope[]>> = {
  feed: ['feed'],
  download: ['download'],
  read: ['feed', 'download', 'read'],
  full: SCOPES,
};

interface Identity {
  accountId: string;
  /** Id of the API key, the ephemeral session, the login or the connected client. */
  credentialId: string;
  /** The highest tier among the account's records, which sets the limits of the account. */
  tier: Tier;
}

/**
 * An account key reaches all records of its account, a record key reaches one record. The token of an ephemeral session gives
 * full control of its one record, without scopes.
 */
export type Principal = Identity &
  (
    | { kind: 'account'; scope: Scope }
    | { kind: 'record'; recordId: string; scope: Exclude<Scope, 'full'> }
    | { kind: 'ephemeral'; recordId: string; scope: 'full' }
  );

/** Whether a granted scope includes a required one. */
export function allows(granted: Scope, required: Scope): boolean {
  return INCLUDED[granted].includes(required);
}
