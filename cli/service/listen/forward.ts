// Sends one delivery to the target, as the service would: one POST, signed, without redirects.
import { Agent, request } from 'undici';
import { userAgent } from '../../../activities/fetch/open-origin.ts';
import { signWebhook } from '../../../core/crypto/webhook-signature.ts';
import { ATTEMPT_TIMEOUT_MS } from '../../../core/deliveries.ts';
import { lookupLoopback, NOT_LOOPBACK } from '../calls/loopback.ts';
import type { Delivery } from './delivery.ts';
import type { Target } from './target.ts';

export interface Sent {
  /** Null when no answer came. */
  status: number | null;
  durationMs: number;
  /** Why no answer came, or how an answer that is no success begins; null for a success. */
  words: string | null;
}

export interface Forwarder {
  send: (delivery: Delivery) => Promise<Sent>;
  close: () => Promise<void>;
}

/** @param baseUrl of the service, which a receiver sees in the user agent */
export function createForwarder(
  { url, isAnywhere }: Target,
  { secret, baseUrl }: { secret: string; baseUrl: string },
): Forwarder {
  const dispatcher = new Agent(isAnywhere ? {} : { connect: { lookup: lookupLoopback } });
  const send = async ({ id, body }: Delivery): Promise<Sent> => {
    const startedMs = performance.now();
    const took = (): number => Math.round(performance.now() - startedMs);
    try {
      const answer = await request(url, {
        method: 'POST',
        dispatcher,
        body,
        signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
        headers: {
          'content-type': 'application/json',
          'accept-encoding': 'identity',
          'user-agent': userAgent(baseUrl),
          ...signWebhook({ id, timeMs: Date.now(), body, secrets: [secret] }),
        },
      });
      const { statusCode } = answer;
      const isSuccess = statusCode >= 200 && statusCode <= 299;
      const words = await excerptOf(answer.body, isSuccess);
      return { status: statusCode, durationMs: took(), words };
    } catch (error) {
      return { status: null, durationMs: took(), words: whyNoAnswer(error) };
    }
  };
  return { send, close: () => dispatcher.destroy() };
}

const EXCERPT_CHARACTERS = 200;
/** More than this is not read. */
const MOST_BYTES = 64 * 1024;

async function excerptOf(
  body: AsyncIterable<Uint8Array> & { dump: (options: { limit: number }) => Promise<void> },
  isSuccess: boolean,
): Promise<string | null> {
  if (isSuccess) {
    await body.dump({ limit: MOST_BYTES });
    return null;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MOST_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, EXCERPT_CHARACTERS).toWellFormed();
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name has no address',
  [NOT_LOOPBACK]: 'its name leads to another machine',
};

function whyNoAnswer(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `no answer within ${ATTEMPT_TIMEOUT_MS / 1_000} seconds`;
  }
  // Several addresses of a name fail as one error with the errors of each.
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const [code] = errors.flatMap((each) =>
    each instanceof Error && 'code' in each ? [String(each.code)] : [],
  );
  return REASONS[code ?? ''] ?? (error instanceof Error ? error.message : String(error));
}
