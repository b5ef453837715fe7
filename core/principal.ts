// Who is calling and what they may do: scopes, and the principal that a credential stands for.

export const SCOPES = ['download', 'read', 'full'] as const;

/** Strict hierarchy: `full` allows everything, `read` allows reads and downloads, `download` downloads only. */
export type Scope = (typeof SCOPES)[number];

/** An account key reaches all records of its account, a record key one record. */
export type Principal =
  | { kind: 'account'; accountId: string; keyId: string; scope: Scope }
  | { kind: 'record'; accountId: string; recordId: string; keyId: string; scope: Exclude<Scope, 'full'> };

/** Whether a scope that was granted is enough for one that is required. */
export function allows(granted: Scope, required: Scope): boolean {
  return SCOPES.indexOf(granted) >= SCOPES.indexOf(required);
}
