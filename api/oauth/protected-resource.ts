// What tells a client which authorization server guards the MCP server (RFC 9728), and the challenge that leads there.
import type { FastifyInstance } from 'fastify';
import { MCP_PATH, mcpResource } from './provider.ts';
import { MCP_SCOPE_NAMES } from './scopes.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Below the resource's path, where RFC 9728 3.1 puts it, and at the root, where older clients look. */
export function registerProtectedResource(app: FastifyInstance, baseUrl: string): void {
  const document = {
    resource: mcpResource(baseUrl),
    authorization_servers: [baseUrl],
    scopes_supported: [...MCP_SCOPE_NAMES],
    bearer_methods_supported: ['header'],
    resource_name: 'Recordwatch',
    resource_documentation: `${baseUrl}/docs`,
  };
  for (const url of [WELL_KNOWN, `${WELL_KNOWN}${MCP_PATH}`]) {
    app.get(url, (_request, reply) =>
      reply
        .headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' })
        .send(document),
    );
  }
}

/**
 * The challenge of a 401 or 403 at the MCP server (RFC 6750 3, RFC 9728 5.1).
 * @param scope all that the call needs
 */
export function challenge(
  baseUrl: string,
  scope: string,
  error?: 'invalid_token' | 'insufficient_scope',
): string {
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${baseUrl}${WELL_KNOWN}${MCP_PATH}"`,
    `scope="${scope}"`,
  ];
  return `Bearer ${parts.join(', ')}`;
}
