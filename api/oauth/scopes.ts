// What a client may be allowed over MCP, and which scope of an API key each of these stands for.
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
