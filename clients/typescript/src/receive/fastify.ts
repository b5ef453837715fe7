// A plugin for Fastify that receives webhooks: app.register(receiveWebhooks, { path: '/hook', secret, handle }).
import type { FastifyPluginAsync } from 'fastify';
import {
  type HandleWebhook,
  MAX_BODY_BYTES,
  type ParseOptions,
  requireSecret,
  SignatureError,
  verifyWebhook,
} from './webhooks.ts';

export interface ReceiverOptions extends ParseOptions {
  path: string;
  secret: string;
  handle: HandleWebhook;
}

/**
 * Answers 204 when `handle` has returned, and 401 without a valid signature. Errors of `handle` go to Fastify.
 * @throws RecordwatchError the secret is empty or damaged
 */
export const receiveWebhooks: FastifyPluginAsync<ReceiverOptions> = async (
  app,
  { path, secret, handle, ...options },
) => {
  requireSecret(secret);
  // Only within this plugin: signatures are of the body as it arrived.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(path, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    try {
      const body = request.body instanceof Uint8Array ? request.body : '';
      await handle(verifyWebhook(secret, request.headers, body, options));
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error;
      return reply.code(401).send();
    }
    return reply.code(204).send();
  });
};
