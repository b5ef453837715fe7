// Progress of a tool call: its answer becomes a stream of server-sent events once there is news for a caller who asked for it.
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { EVENT_STREAM_TYPE } from '../../http/event-stream.ts';
import type { Report } from '../methods/mcp-context.ts';

export interface ProgressStream {
  report: Report;
  /** Whether the answer has begun as a stream. */
  isOpen: () => boolean;
  /** Ends the stream with the answer. @param text JSON */
  end: (text: string) => FastifyReply;
}

/** @returns undefined if the caller did not ask for progress, or takes no stream */
export function progressStreamOf(reply: FastifyReply): ProgressStream | undefined {
  const { body, headers } = reply.request;
  const progressToken = tokenOf(body);
  if (progressToken === undefined || headers.accept?.includes(EVENT_STREAM_TYPE) !== true) return undefined;
  let stream: PassThrough | undefined;
  const open = (): PassThrough => {
    const opened = new PassThrough();
    // nginx would collect the events before it passes them on.
    void reply.code(200).header('x-accel-buffering', 'no').type(EVENT_STREAM_TYPE).send(opened);
    return opened;
  };
  return {
    report: (news) => {
      stream ??= open();
      const params = { progressToken, ...news };
      const message = { jsonrpc: '2.0', method: 'notifications/progress', params };
      stream.write(eventOf(JSON.stringify(message)));
    },
    isOpen: () => stream !== undefined,
    end: (text) => {
      stream?.end(eventOf(text));
      return reply;
    },
  };
}

const eventOf = (text: string): string => `event: message\ndata: ${text}\n\n`;

function tokenOf(body: unknown): string | number | undefined {
  // The message is not validated yet: any member may be missing.
  const { params } = (body ?? {}) as { params?: { _meta?: { progressToken?: unknown } | null } | null };
  const token = params?._meta?.progressToken;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}
