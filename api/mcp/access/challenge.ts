// Tells OAuth clients in a refusal where to get a token, or one with a wider scope (RFC 6750, 3; RFC 9728, 5.1).
import type { FastifyRequest } from 'fastify';
import { ApiError, type ApiErrorCode } from '../../../core/errors.ts';
import { allows } from '../../../core/principal.ts';
import { isId } from '../../../core/ids.ts';
import { DEFAULT_SCOPE, MCP_SCOPES } from '../../oauth/scopes.ts';
import { metadataUrl } from '../../oauth/protected-resource.ts';
import { TOOLS } from '../tools/tools.ts';

/** The header WWW-Authenticate of a refusal. */
export function challenge(baseUrl: string, code: ApiErrorCode, { body, headers }: FastifyRequest): string {
  const isScope = code === 'insufficient_scope';
  const error = isScope ? 'insufficient_scope' : 'invalid_token';
  const scope = (isScope ? neededFor(body)?.name : undefined) ?? DEFAULT_SCOPE;
  return [
    `Bearer resource_metadata="${metadataUrl(baseUrl)}"`,
    `scope="${scope}"`,
    // A request without a credential gets no error code (RFC 6750, 3.1).
    ...(headers.authorization === undefined ? [] : [`error="${error}"`]),
  ].join(', ');
}

/**
 * OAuth clients learn by HTTP that they need a wider token, as their protocol requires. Callers with keys learn it from the
 * tool's result.
 * @throws ApiError insufficient_scope
 */
export function requireScopeOfClient({ body, caller }: FastifyRequest): void {
  if (caller === null || !isId('connectedClient', caller.principal.credentialId)) return;
  const needed = neededFor(body);
  if (needed === undefined || allows(caller.principal.scope, needed.scope)) return;
  throw new ApiError('insufficient_scope', `This needs the scope ${needed.name}.`);
}

/** The OAuth scope of the tool that a message calls. */
function neededFor(message: unknown) {
  // The message is not validated yet: any member may be missing.
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null };
  if (method !== 'tools/call') return undefined;
  const tool = TOOLS.find(({ name }) => name === params?.name);
  // MCP_SCOPES has the widest first, so this is the widest that any operation of the tool needs.
  return MCP_SCOPES.find(({ scope }) => tool?.over.some((operation) => operation.scope === scope));
}
