// Requests of many callers that one server of a library answers: making a server for each costs more than most answers.
import type { McpContext } from '../methods/mcp-context.ts';

type RequestId = string | number;

export interface Exchange<Message extends object> {
  /**
   * @param deliver hands the request to the server, under an id of our own: those of two callers may be alike
   * @returns what the server sends for it, under the caller's id
   */
  ask: <Asked extends { id: RequestId }>(
    ctx: McpContext,
    request: Asked,
    deliver: (request: Asked) => void,
  ) => Promise<Message>;
  /** Whose request it is. */
  contextOf: (id: RequestId) => McpContext;
  /** For what the server sends. */
  answer: (message: Message) => void;
}

/** What a leg answers a single request with. */
export interface SingleAnswer {
  /** Of HTTP. */
  status: number;
  message: object;
}

interface Waiting<Message> {
  ctx: McpContext;
  id: RequestId;
  resolve: (message: Message) => void;
}

export function createExchange<Message extends object>(): Exchange<Message> {
  const waiting = new Map<unknown, Waiting<Message>>();
  let last = 0;
  return {
    ask: (ctx, request, deliver) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, { ctx, id: request.id, resolve });
        deliver({ ...request, id: last });
      }),
    contextOf: (id) => {
      const asked = waiting.get(id);
      if (asked === undefined) throw new Error('A request is answered that nobody waits for');
      return asked.ctx;
    },
    answer: (message) => {
      const id = 'id' in message ? message.id : undefined;
      const asked = waiting.get(id);
      // It sends nothing but answers: no tool tells of its progress.
      if (asked === undefined) return;
      waiting.delete(id);
      asked.resolve({ ...message, id: asked.id });
    },
  };
}
