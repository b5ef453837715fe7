// Who is calling and what they may do: scopes, and the principal that a credential stands for.
import type { Tier } from './tiers.ts';

export const SCOPES = ['download', 'read', 'full'] as const;

/** Strict hierarchy: `full` allows everything, `read` allows reads and downloads, `download` downloads only. */
export type Scope = (typeof SCOPES)[number];

interface Identity {
  accountId: string;
  /** Id of the API key or of the ephemeral session. */
  credentialId: string;
  /** The highest tier among the account's records: what is counted per account follows it. */
  tier: Tier;
}

/**
 * An account key reaches all records of its account, a record key one record. An ephemeral session is exempt from
 * scopes: whoever has its token controls its record, and nothing else.
 */
export type Principal = Identity &
  (
    | { kind: 'account'; scope: Scope }
    | { kind: 'record'; recordId: string; scope: Exclude<Scope, 'full'> }
    | { kind: 'ephemeral'; recordId: string; scope: 'full' }
  );

/** Whether a scope that was granted is enough for one that is required. */
export function allows(granted: Scope, required: Scope): boolean {
  return SCOPES.indexOf(granted) >= SCOPES.indexOf(required);
}
