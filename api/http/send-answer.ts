// Sends an operation's output: with an entity tag if it is a read, without content (304) if the client has it already.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Capacity, ownerOf } from '../capacity/capacity.ts';
import { endAnswerAfter } from './connections.ts';
import { entityTagOf, isAnyTag, isNotModified } from './conditional.ts';
import { isEventStream, sendEventStream } from './event-stream.ts';
import { isFileAnswer, sendFile } from './files.ts';
import { holdUntilSent } from './hold-until-sent.ts';
import type { Answer } from './idempotency.ts';
import { encodeJson } from './json.ts';
import type { Admission } from '../access/admission.ts';
import type { Operation } from '../contract/operation.ts';
import { rateLimitHeaders } from '../access/rate-limits.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
export interface ResponseContext extends Admission {
  capacity: Capacity;
  /** From a request's headers to the last byte of a file. */
  fileTimeoutMs: number;
}

export async function sendAnswer(
  admission: ResponseContext,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): Promise<FastifyReply> {
  const { status } = answer;
  void reply.code(status);
  if ('replayed' in answer) {
    void reply.header('idempotent-replayed', 'true');
    return answer.replayed === null ? reply.send() : reply.type(JSON_TYPE).send(answer.replayed);
  }
  if (status === 204) return reply.send();
  if (isEventStream(answer.output)) return sendEventStream(reply, answer.output);
  if (isFileAnswer(answer.output)) {
    endAnswerAfter(reply, admission.fileTimeoutMs);
    if (await sendFile(admission.capacity, request, reply, answer.output)) return reply;
    await release(admission, request, reply);
    return reply.code(304).send();
  }
  const content = encodeJson(answer.output);
  if (operation.http.method !== 'GET' || status !== 200 || operation.secrets !== undefined) {
    reserveMemory(admission, operation, request, reply, content);
    return reply.type(JSON_TYPE).send(content);
  }
  const entityTag = entityTagOf(content);
  const isKnown = isNotModified(request.headers['if-none-match'], entityTag);
  // Before the headers are set, which would not be true of a refusal.
  if (!isKnown) reserveMemory(admission, operation, request, reply, content);
  void reply.headers({ etag: entityTag, 'cache-control': 'private, no-cache' });
  if (!isKnown) return reply.type(JSON_TYPE).send(content);
  await release(admission, request, reply);
  return reply.code(304).send();
}

/**
 * Only for reads: the result of a change is reported whatever its size.
 * @throws ApiError rate_limited or unavailable
 */
function reserveMemory(
  { capacity }: ResponseContext,
  { scope }: Operation,
  { caller }: FastifyRequest,
  reply: FastifyReply,
  content: string,
): void {
  if (caller === null || scope === 'full') return;
  const end = (): void => {
    reply.log.warn('an answer was ended: it was not read, and others needed its memory');
    reply.raw.destroy();
  };
  const owner = ownerOf(caller.principal);
  holdUntilSent(reply, capacity.takeResponseMemory(owner, Buffer.byteLength(content), end));
}

/** A request that brought nothing new is not counted. One that knows no tag asks for nothing, and is. */
async function release(
  { rateLimits, clock }: Admission,
  { caller, headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (caller === null || isAnyTag(headers['if-none-match'])) return;
  void reply.headers(rateLimitHeaders(await rateLimits.release(caller.principal), clock()));
}
