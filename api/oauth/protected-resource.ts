// Metadata that tells clients which authorization server protects the MCP server (RFC 9728).
import type { FastifyInstance } from 'fastify';
import { MCP_PATH, mcpResource } from './provider.ts';
import { MCP_SCOPE_NAMES } from './scopes.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

export const metadataUrl = (baseUrl: string): string => `${baseUrl}${WELL_KNOWN}${MCP_PATH}`;

export const PROTECTED_RESOURCE_PATHS = [WELL_KNOWN, `${WELL_KNOWN}${MCP_PATH}`] as const;

/** Below the resource's path (RFC 9728, 3.1), and at the root, where older clients look. */
export function registerProtectedResource(app: FastifyInstance, baseUrl: string): void {
  const document = {
    resource: mcpResource(baseUrl),
    authorization_servers: [baseUrl],
    scopes_supported: [...MCP_SCOPE_NAMES],
    bearer_methods_supported: ['header'],
    resource_name: 'Recordwatch',
    resource_documentation: `${baseUrl}/docs`,
  };
  for (const url of PROTECTED_RESOURCE_PATHS) {
    app.get(url, (_request, reply) => reply.header('cache-control', 'public, max-age=3600').send(document));
  }
}
