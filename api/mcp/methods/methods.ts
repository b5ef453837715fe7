// The methods of the protocol that both eras know, apart from either library.
import type { McpContext, Params } from './mcp-context.ts';
import { callTool } from './call-tool.ts';
import { complete } from './complete.ts';
import { listTools } from './list-tools.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { listResources, listTemplates, readResource } from './resources.ts';

/** @throws RpcError for a request that is not one of this method */
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

// Its keys are these.
export const METHOD_NAMES = Object.keys(METHODS) as MethodName[];

/**
 * Those that a message names, or the messages of a batch: a server for one request needs no others, and setting up all
 * costs more than most answers.
 */
export function methodsIn(body: unknown): MethodName[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  // Read without trust: each step may find nothing.
  const named = new Set(
    messages.map((message) => (message as { method?: unknown } | null | undefined)?.method),
  );
  return METHOD_NAMES.filter((name) => named.has(name));
}
