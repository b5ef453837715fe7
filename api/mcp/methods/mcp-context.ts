// What a protocol method gets.
import type { Context } from '../../contract/context.ts';

/** News of a running call. `progress` grows each time. */
export type Report = (news: { progress: number; message: string }) => void;

/** Work that may outlast its request. */
export interface RunningWork {
  /** Aborts when the work is cancelled, and when the process is about to end. */
  signal: AbortSignal;
  abort: () => void;
  /** Call it when the work is over. */
  end: () => void;
}

export interface Work {
  /** @param id of its task */
  begin: (id: string) => RunningWork;
  /** Ends the work of a task, in whichever process it runs. */
  cancel: (id: string) => Promise<void>;
}

export interface McpContext extends Context {
  /** Whether the client understands tasks. */
  hasTasks: boolean;
  work: Work;
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
