// What clients ask of the authorization page, as its library is to read it.
import { DEFAULT_SCOPE, MCP_SCOPE_NAMES } from './scopes.ts';

/** All that is understood (RFC 6749 3.1: the rest is ignored). The others are of OpenID, whose questions have no answer here. */
const TAKEN: ReadonlySet<string> = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
]);

/** @returns the path with its query */
export function authorizeUrl(path: string, query: string): string {
  const params = new URLSearchParams(query);
  // A page is shown each time. A client that wants none is told so; other prompts ask for what happens anyway.
  const wantsNoPage = params.get('prompt') === 'none';
  for (const name of new Set(params.keys())) {
    if (!TAKEN.has(name) && !(name === 'prompt' && wantsNoPage)) params.delete(name);
  }
  // Twice is an error, and the library's to tell.
  const asked = params.getAll('scope');
  if (asked.length <= 1) params.set('scope', servedOf(asked[0] ?? ''));
  return `${path}?${params.toString()}`;
}

/**
 * The scopes that there are, of those that are asked for. Clients that ask for nothing, or for nothing that there is, get what
 * most of them need, not a page without a choice.
 */
function servedOf(scope: string): string {
  const served = scope.split(' ').filter((name) => MCP_SCOPE_NAMES.includes(name));
  return served.length === 0 ? DEFAULT_SCOPE : served.join(' ');
}
