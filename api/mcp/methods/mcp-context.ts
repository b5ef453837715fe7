// What a method of the protocol works with.
import type { Context } from '../../contract/context.ts';

export interface McpContext extends Context {
  /** What `record` was looked up by; `self` where the request names none. */
  reference: string;
  /** The tools that were called: the request's line in the log tells of them. */
  toolCalls: { tool: string; ms: number; isError: boolean }[];
  /** Structured answers, which the printed answer has stand-ins for. */
  texts: string[];
}

/** The parameters of a request, as JSON-RPC carries them. */
export type Params = Readonly<Record<string, unknown>>;
