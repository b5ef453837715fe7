// Responses that are streams of server-sent events. The next piece is made only when the client has read the last one, so a
// slow client takes no more memory than that.
import { type Static, type TSchema, Type } from 'typebox';
import { Negotiator } from 'negotiator';
import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endAnswerAfter } from './connections.ts';

export const EVENT_STREAM_TYPE = 'text/event-stream';

const STREAM = Symbol('event stream');

export interface EventStream {
  readonly [STREAM]: AsyncGenerator<string>;
}

/** @param pieces text in the syntax of event streams */
export const eventStream = (pieces: AsyncGenerator<string>): EventStream => ({ [STREAM]: pieces });

export const isEventStream = (output: unknown): output is EventStream =>
  typeof output === 'object' && output !== null && STREAM in output;

/** Output schema of an operation whose output may be a stream instead. */
export const orEventStream = <S extends TSchema>(schema: S) => Type.Unsafe<Static<S> | EventStream>(schema);

/** Whether the caller prefers a stream. JSON is the default. */
export function wantsEventStream({ method, headers }: FastifyRequest): boolean {
  const { accept } = headers;
  if (method !== 'GET' || accept === undefined) return false;
  const types = ['application/json', EVENT_STREAM_TYPE];
  return new Negotiator({ headers: { accept } }).mediaType(types) === EVENT_STREAM_TYPE;
}

/** Proxies would end longer streams too, and clients connect again. */
const STREAM_TIMEOUT_MS = 3_600_000;

export function sendEventStream(reply: FastifyReply, stream: EventStream): FastifyReply {
  endAnswerAfter(reply, STREAM_TIMEOUT_MS);
  // nginx would collect the events before it passes them on.
  void reply.header('x-accel-buffering', 'no').type(EVENT_STREAM_TYPE);
  const { raw } = reply;
  // The stream writes to the connection itself.
  void reply.hijack();
  // Fastify names the same headers with other types.
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  const source = Readable.from(stream[STREAM]);
  source.pipe(raw).once('close', () => source.destroy());
  return reply;
}
