// What can be asked of the authorization page, told in discovery: its library names all that it knows, also what
// authorizeUrl takes out of requests.
import type { KoaContextWithOIDC } from 'oidc-provider';
import { MCP_SCOPE_NAMES } from './scopes.ts';

const SERVED = { response_modes_supported: ['query'], scopes_supported: MCP_SCOPE_NAMES };

export async function tellWhatIsServed(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const { body } = ctx;
  if (typeof body !== 'object' || body === null || !('response_modes_supported' in body)) return;
  Object.assign(body, SERVED);
}
