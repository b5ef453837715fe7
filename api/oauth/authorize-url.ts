// What clients ask of the authorization page, as its library is to read it.
import { DEFAULT_SCOPE, MCP_SCOPE_NAMES } from './scopes.ts';

/** @returns the path with its query */
export function authorizeUrl(path: string, query: string): string {
  const params = new URLSearchParams(query);
  // Answers come as parameters of the address. The other ways need scripts on our page, or on the client's.
  params.delete('response_mode');
  // Clients that ask for nothing, or for nothing that there is, get what most of them need, not a page without a choice.
  const asked = params.getAll('scope');
  const isKnown = asked.some((text) => text.split(' ').some((name) => MCP_SCOPE_NAMES.includes(name)));
  if (asked.length <= 1 && !isKnown) params.set('scope', DEFAULT_SCOPE);
  return `${path}?${params.toString()}`;
}
