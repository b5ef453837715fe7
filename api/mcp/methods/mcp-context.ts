// What a protocol method gets.
import type { Context } from '../../contract/context.ts';

/** News of a running call. `progress` grows each time. */
export type Report = (news: { progress: number; message: string }) => void;

export interface McpContext extends Context {
  /** Undefined: nobody asked. */
  reportProgress?: Report;
  /** How `record` was looked up; `self` if the request names none. */
  reference: string;
  /** The tools called so far, for the request's log line. */
  toolCalls: { tool: string; ms: number; isError: boolean }[];
  /** Structured answers, which the printed response contains as placeholders. */
  texts: string[];
}

/** The parameters of a JSON-RPC request. */
export type Params = Readonly<Record<string, unknown>>;
