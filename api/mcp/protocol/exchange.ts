// Shares one server of a library among the requests of many callers, because creating one costs more than most answers.
import type { McpContext } from '../methods/mcp-context.ts';

type RequestId = string | number;

export interface Exchange<Message extends object> {
  /**
   * @param deliver passes the request to the server under an id of ours, because two callers may use the same one
   * @returns the server's response, under the caller's id
   */
  ask: <Asked extends { id: RequestId }>(
    ctx: McpContext,
    request: Asked,
    deliver: (request: Asked) => void,
  ) => Promise<Message>;
  /** The context of the request with this id. */
  contextOf: (id: RequestId) => McpContext;
  /** For the server's messages. */
  answer: (message: Message) => void;
}

/** A response to a single request. */
export interface SingleAnswer {
  /** The HTTP status. */
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
      if (asked === undefined) throw new Error('The server answered a request that is not pending');
      return asked.ctx;
    },
    answer: (message) => {
      const id = 'id' in message ? message.id : undefined;
      const asked = waiting.get(id);
      // Anything but a response is dropped: progress takes another way (progress-stream.ts).
      if (asked === undefined) return;
      waiting.delete(id);
      asked.resolve({ ...message, id: asked.id });
    },
  };
}
