// The audit log's terms: what can be done to what, and from where.
import type { IdKind } from './ids.ts';

/** Each action begins with the type of its target. An action that was released keeps its name and meaning. */
export const AUDIT_ACTIONS = [
  'account.create',
  'account.delete',
  'account.rotate_key',
  'api_key.create',
  'api_key.revoke',
  'check.accept',
  'check.reject',
  'client.connect',
  'client.disconnect',
  'delivery.redeliver',
  'key_request.answer',
  'record.check',
  'record.create',
  'record.delete',
  'record.keep',
  'record.pause',
  'record.resume',
  'record.set_tier',
  'record.update',
  'user.cancel_email_change',
  'user.change_email',
  'user.change_password',
  'user.create',
  'user.create_sign_in_link',
  'user.end_sessions',
  'user.request_email_change',
  'user.request_password_reset',
  'user.reset_password',
  'user.sign_in',
  'user.sign_out',
  'user.undo_email_change',
  'webhook.create',
  'webhook.delete',
  'webhook.recover',
  'webhook.rotate_secret',
  'webhook.test',
  'webhook.update',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** `client` is an MCP client that was connected by OAuth. */
export const AUDIT_TARGETS = [
  'account',
  'api_key',
  'check',
  'client',
  'delivery',
  'key_request',
  'record',
  'user',
  'webhook',
] as const;

export type AuditTarget = (typeof AUDIT_TARGETS)[number];

export const targetOf = (action: AuditAction): AuditTarget => action.split('.')[0] as AuditTarget;

export const AUDIT_ACTORS = ['api_key', 'client', 'user', 'session', 'operator', 'anonymous'] as const;

export type AuditActor = (typeof AUDIT_ACTORS)[number];

/** The kinds of ids that an actor has, and the type that each shows as. A person acts through a login. */
export const ACTOR_KINDS = {
  apiKey: 'api_key',
  connectedClient: 'client',
  loginSession: 'user',
  user: 'user',
  session: 'session',
} as const satisfies Partial<Record<IdKind, AuditActor>>;

/**
 * `sign-in` is the pages for signing in and for one's own account; `oauth` the pages that connect MCP clients; `mail` the link
 * in a mail that ends such mails.
 */
export const AUDIT_DOORS = ['api', 'mcp', 'dashboard', 'sign-in', 'oauth', 'mail', 'operator'] as const;

/** Where a request came from. */
export interface AuditSource {
  door: (typeof AUDIT_DOORS)[number];
  /** Complete, unlike the address that is rate-limited. Null for the operator. */
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
}

/** A setting that was changed. The values are missing when they are secret. */
export interface AuditChange {
  field: string;
  before?: unknown;
  after?: unknown;
}

/** Longer values, as JSON, are cut. */
const MAX_VALUE_CHARACTERS = 500;

/**
 * The settings that a PATCH changes.
 * @param before the settings as the API shows them; a setting that is not among them is secret
 * @param after the settings that the request gives
 */
export function changesBetween(before: object, after: object): AuditChange[] {
  const known = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .filter(([field, value]) => value !== undefined && !(known.has(field) && isSame(known.get(field), value)))
    .map(([field, value]) =>
      known.has(field) ? { field, before: shown(known.get(field)), after: shown(value) } : { field },
    );
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function shown(value: unknown): unknown {
  // Parsed, because a URL may begin with spaces.
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return withoutSecrets(url);
  const text = JSON.stringify(value) ?? 'null';
  return text.length <= MAX_VALUE_CHARACTERS
    ? value
    : `${text.slice(0, MAX_VALUE_CHARACTERS).toWellFormed()}…`;
}

/** Paths, queries and user names of URLs are often secrets. */
function withoutSecrets({ origin, href }: URL): string {
  return href === `${origin}/` ? origin : `${origin}/…`;
}
