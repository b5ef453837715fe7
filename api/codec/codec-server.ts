// A codec server by Temporal's protocol (https://docs.temporal.io/codec-server): opens sealed payloads for Temporal's UI and CLI.
// It listens on an address of its own, because only operators may reach it.
import cors from '@fastify/cors';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../../core/config.ts';
import { createPayloadCodec } from '../../outbound/payload-codec.ts';
import { usualHeaders } from '../http/open-request.ts';
import { createOperatorToken } from './operator-token.ts';
import { type PayloadJson, PAYLOADS_SCHEMA, readPayloadJson, toPayloadJson } from './payload-json.ts';

/** Temporal takes messages of 4 MiB, which are a third larger in base64. */
const MOST_BYTES = 8 * 1024 * 1024;
const SIGN_IN = '/sign-in';
const REFUSAL = 'Present TEMPORAL_CODEC_TOKEN as a Bearer token, or sign in at the root of this address.';

type CodecServerConfig = Pick<
  Config,
  'temporalCodecKeys' | 'temporalCodecAddress' | 'temporalCodecToken' | 'temporalUiUrl' | 'baseUrl'
>;

/**
 * Starts it, if TEMPORAL_CODEC_ADDRESS is set.
 * @throws Error when keys or token are missing, or the address is taken
 */
export async function startCodecServer(
  config: CodecServerConfig,
  log: Logger,
): Promise<FastifyInstance | undefined> {
  const { temporalCodecAddress: address, temporalCodecKeys, temporalCodecToken } = config;
  if (address === null) return undefined;
  if (temporalCodecKeys.size === 0 || temporalCodecToken === '') {
    throw new Error('TEMPORAL_CODEC_ADDRESS needs TEMPORAL_CODEC_KEYS and TEMPORAL_CODEC_TOKEN.');
  }
  const server = buildCodecServer(config, { log, clock: Date.now });
  await server.listen(address);
  return server;
}

export function buildCodecServer(
  config: CodecServerConfig,
  { log, clock }: { log: Logger; clock: () => number },
): FastifyInstance {
  const codec = createPayloadCodec(config.temporalCodecKeys);
  const token = createOperatorToken(config.temporalCodecToken, clock);
  const uiOrigin = URL.parse(config.temporalUiUrl)?.origin;
  const server = fastify({ bodyLimit: MOST_BYTES });
  server.addHook('onRequest', async (_request, reply) => {
    void reply.headers(usualHeaders(config.baseUrl));
  });
  void server.register(cors, {
    origin: uiOrigin ?? false,
    credentials: true,
    methods: ['POST'],
    allowedHeaders: ['authorization', 'content-type', 'x-namespace'],
  });
  registerSignIn(server, token);
  // Before the body is read.
  const admit = async ({ headers, url }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (token.admits(headers, uiOrigin)) return;
    log.warn({ path: url.split('?')[0] }, 'a request to the codec server was refused');
    await reply.code(401).header('www-authenticate', 'Bearer').send({ message: REFUSAL });
  };
  for (const operation of ['encode', 'decode'] as const) {
    server.post<{ Body: { payloads?: PayloadJson[] } }>(
      `/${operation}`,
      { schema: { body: PAYLOADS_SCHEMA }, onRequest: admit },
      async (request, reply) => {
        const payloads = (request.body.payloads ?? []).map(readPayloadJson);
        try {
          const answer = await codec[operation](payloads);
          log.info({ operation, payloads: payloads.length }, 'the codec server answered');
          return { payloads: answer.map(toPayloadJson) };
        } catch (error) {
          return reply.code(400).send({ message: error instanceof Error ? error.message : 'not readable' });
        }
      },
    );
  }
  return server;
}

type SignInToken = ReturnType<typeof createOperatorToken>;

/** Browsers send the cookie from Temporal's UI when both have the same site, such as localhost or example.com. */
function registerSignIn(server: FastifyInstance, token: SignInToken): void {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  server.get('/', (_request, reply) => reply.headers(PAGE_HEADERS).send(page('')));
  server.post<{ Body: { token?: unknown } | null }>(SIGN_IN, (request, reply) => {
    void reply.headers(PAGE_HEADERS);
    const given = request.body?.token;
    if (typeof given !== 'string' || !token.matches(given.trim())) {
      return reply.code(403).send(page('This is not the token.'));
    }
    const isSecure = request.headers['x-forwarded-proto'] === 'https';
    return reply
      .header('set-cookie', token.cookie(isSecure))
      .send(page('Signed in for 12 hours: Temporal’s UI can open payloads now.'));
  });
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
};

const page = (words: string): string => `<!doctype html>
<html lang="en">
  <title>Recordwatch codec server</title>
  <h1>Codec server</h1>
  <p role="status">${words}</p>
  <form method="post" action="${SIGN_IN}">
    <label>TEMPORAL_CODEC_TOKEN <input type="password" name="token" autocomplete="off" required></label>
    <button>Sign in</button>
  </form>
</html>
`;
