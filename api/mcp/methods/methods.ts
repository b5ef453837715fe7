// The protocol's methods, independent of revision and library.
import type { McpContext, Params } from './mcp-context.ts';
import { callTool } from './call-tool.ts';
import { complete } from './complete.ts';
import { listTools } from './list-tools.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { listResources, listTemplates, readResource } from './resources.ts';

/** @throws RpcError for invalid parameters */
export type Method = (ctx: McpContext, params: Params) => Promise<object>;

export const METHODS = {
  'tools/list': listTools,
  'tools/call': callTool,
  'resources/list': listResources,
  'resources/templates/list': listTemplates,
  'resources/read': readResource,
  'prompts/list': listPrompts,
  'prompts/get': getPrompt,
  'completion/complete': complete,
} as const satisfies Readonly<Record<string, Method>>;

export type MethodName = keyof typeof METHODS;

// The cast is safe: these are the keys of METHODS.
export const METHOD_NAMES = Object.keys(METHODS) as MethodName[];

/**
 * The methods in a message or batch. A server for one request registers only these, because registering all costs more than
 * most answers.
 */
export function methodsIn(body: unknown): MethodName[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  // The message is not validated yet: any member may be missing.
  const named = new Set(
    messages.map((message) => (message as { method?: unknown } | null | undefined)?.method),
  );
  return METHOD_NAMES.filter((name) => named.has(name));
}
