// Fetches what a client publishes of itself, by the way that every request of the product goes out. Anybody may ask for it.
import type { Configuration } from 'oidc-provider';
import { fetch } from 'undici';
import { createGuard } from '../../outbound/guard.ts';
import { createGuardedAgent } from '../../outbound/guarded-agent.ts';
import { parseNat64Prefixes } from '../../core/network/nat64.ts';
import type { Services } from '../contract/context.ts';

/** The library may ask twice for one page. */
const TIMEOUT_MS = 2_500;
/** A client's document may have 5 KiB; the library looks closer. */
const LIMIT_BYTES = 64 * 1_024;

type FetchDocument = NonNullable<Configuration['fetch']>;

export function createDocumentFetch({ reach, config, log }: Services): FetchDocument {
  const guard = createGuard(reach.anonymous, {
    nat64: parseNat64Prefixes(config.nat64Prefixes),
    report: (failed) => log.warn(failed, 'no connection was made to a client’s document'),
  });
  return async (target, init) => {
    // The library's own words for a request, in the classes of Node; the agent belongs to those of undici.
    const { url, method, headers } = new Request(target, init);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const agent = createGuardedAgent(guard, signal);
    try {
      const answer = await fetch(url, {
        method,
        headers: [...headers],
        redirect: 'manual',
        dispatcher: agent.dispatcher,
        signal,
      });
      const body = await readWithin(answer.body, LIMIT_BYTES);
      return new Response(body, { status: answer.status, headers: [...answer.headers] });
    } finally {
      await agent.destroy();
    }
  };
}

/** @throws Error when there is more */
async function readWithin(body: AsyncIterable<Uint8Array> | null, limitBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > limitBytes) throw new Error('The document is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
