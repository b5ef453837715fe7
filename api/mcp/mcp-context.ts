// What a method of the protocol works with.
import type { Context } from '../context.ts';

export interface McpContext extends Context {
  /** What `record` was looked up by; `self` where the request names none. */
  reference: string;
}
