// OAuth scopes: their list, the API key scope that each corresponds to, and the scopes that a client requests.
import { allows, type Scope } from '../../core/principal.ts';
import type { ClientScope } from '../../db/access/connected-clients.ts';

interface McpScope {
  name: 'mcp:read' | 'mcp:download' | 'mcp:write';
  scope: ClientScope;
  /** Shown on the consent page. */
  words: string;
}

/** Widest first. Each includes those after it. */
export const MCP_SCOPES: readonly McpScope[] = [
  { name: 'mcp:write', scope: 'full', words: 'Read, download, add and change records, and check them now' },
  { name: 'mcp:read', scope: 'read', words: 'Read records, changes and rows, and download snapshots' },
  { name: 'mcp:download', scope: 'download', words: 'Download snapshots only' },
];

export const MCP_SCOPE_NAMES: readonly string[] = MCP_SCOPES.map(({ name }) => name);

/** For a client that requests none. */
export const DEFAULT_SCOPE = 'mcp:read';

/** The scopes that may be granted: the widest one requested and every narrower one. */
export function grantable(requested: ReadonlySet<string>): readonly McpScope[] {
  const widest = MCP_SCOPES.findIndex(({ name }) => requested.has(name));
  return widest === -1 ? [] : MCP_SCOPES.slice(widest);
}

/** Splits all scopes into those that a grant has and those that it was refused. */
export function decide(scope: Scope): { granted: string; refused: string } {
  const names = (isGranted: boolean): string =>
    MCP_SCOPES.filter((one) => allows(scope, one.scope) === isGranted)
      .map(({ name }) => name)
      .join(' ');
  return { granted: names(true), refused: names(false) };
}

/** Scopes that are understood; RFC 6749, 3.1, says to ignore the rest. The OpenID scopes are accepted without effect. */
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

/** @returns the path with its query string */
export function authorizeUrl(path: string, query: string): string {
  const params = new URLSearchParams(query);
  // The consent page is always shown. A client that asks for none gets an error; other values of `prompt` ask for what
  // happens anyway.
  const wantsNoPage = params.get('prompt') === 'none';
  for (const name of new Set(params.keys())) {
    if (!TAKEN.has(name) && !(name === 'prompt' && wantsNoPage)) params.delete(name);
  }
  // The library reports a repeated parameter.
  const asked = params.getAll('scope');
  if (asked.length <= 1) params.set('scope', servedOf(asked[0] ?? ''));
  return `${path}?${params.toString()}`;
}

/**
 * The widest known scope among those requested, and every narrower one: the library refuses the client when the person chooses one
 * that was not requested. A client that requests none gets the default, so that the page has something to choose.
 */
function servedOf(scope: string): string {
  const offered = grantable(new Set(scope.split(' ')));
  const served = offered.length === 0 ? grantable(new Set([DEFAULT_SCOPE])) : offered;
  return served.map(({ name }) => name).join(' ');
}
