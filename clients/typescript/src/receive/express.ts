// A request handler for Express that receives webhooks: app.post('/hook', receiveWebhooks({ secret, handle })).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RecordwatchError } from '../errors.ts';
import {
  type HandleWebhook,
  MAX_BODY_BYTES,
  type ParseOptions,
  requireSecret,
  SignatureError,
  verifyWebhook,
} from './webhooks.ts';

export interface ReceiverOptions extends ParseOptions {
  secret: string;
  handle: HandleWebhook;
}

type ExpressHandler = (
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>;

/**
 * Answers 204 when `handle` has returned, and 401 without a valid signature. Errors of `handle` go to Express.
 * @throws RecordwatchError the secret is empty or damaged
 */
export function receiveWebhooks({ secret, handle, ...options }: ReceiverOptions): ExpressHandler {
  requireSecret(secret);
  return async (request, response, next) => {
    try {
      const body = await unparsedBody(request);
      if (body === undefined) return answer(response, 413);
      await handle(verifyWebhook(secret, request.headers, body, options));
      answer(response, 204);
    } catch (error) {
      if (error instanceof SignatureError) answer(response, 401);
      else next(error);
    }
  };
}

/** @returns undefined when it is too large */
async function unparsedBody(request: IncomingMessage & { body?: unknown }): Promise<Uint8Array | undefined> {
  if (request.body instanceof Uint8Array) return request.body;
  if (request.readableEnded) {
    throw new RecordwatchError(
      'The body was parsed before its signature could be verified. Add this handler before express.json().',
    );
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function answer(response: ServerResponse, status: number): void {
  response.statusCode = status;
  response.end();
}
