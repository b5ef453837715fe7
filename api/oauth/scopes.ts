// OAuth scopes: which there are, which scope of an API key each one corresponds to, and which a client requests.
import { allows, type Scope } from '../../core/principal.ts';

interface McpScope {
  name: 'mcp:read' | 'mcp:download' | 'mcp:write';
  scope: Scope;
  /** For the person who decides. */
  words: string;
}

/** Widest first; each includes those after it. */
export const MCP_SCOPES: readonly McpScope[] = [
  { name: 'mcp:write', scope: 'full', words: 'Read, download, add and change records, and check them now' },
  { name: 'mcp:read', scope: 'read', words: 'Read records, changes and rows, and download snapshots' },
  { name: 'mcp:download', scope: 'download', words: 'Download snapshots only' },
];

export const MCP_SCOPE_NAMES: readonly string[] = MCP_SCOPES.map(({ name }) => name);

/** What a client gets that asks for nothing. */
export const DEFAULT_SCOPE = 'mcp:read';

/** What may be granted to a client that asks for these: the widest of them and every narrower one. */
export function grantable(requested: ReadonlySet<string>): readonly McpScope[] {
  const widest = MCP_SCOPES.findIndex(({ name }) => requested.has(name));
  return widest === -1 ? [] : MCP_SCOPES.slice(widest);
}

/** Which of all scopes a grant has, and which it was refused. */
export function decide(scope: Scope): { granted: string; refused: string } {
  const names = (isGranted: boolean): string =>
    MCP_SCOPES.filter((one) => allows(scope, one.scope) === isGranted)
      .map(({ name }) => name)
      .join(' ');
  return { granted: names(true), refused: names(false) };
}

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
