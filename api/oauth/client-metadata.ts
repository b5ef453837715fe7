// Client metadata, from a registration or a document of the client's own: how it is fetched, and what is stored.
import { type ClientMetadata, type Configuration, errors } from 'oidc-provider';
import { fetch } from 'undici';
import { createGuard } from '../../outbound/guard.ts';
import { createGuardedAgent } from '../../outbound/guarded-agent.ts';
import { parseNat64Prefixes } from '../../core/network/nat64.ts';
import type { Services } from '../contract/context.ts';

/** The same limit as for a client's own document. */
const MAX_METADATA_BYTES = 5 * 1_024;

/** Other members are dropped: URLs that would be fetched, images, scopes that would limit later requests. */
const KEPT: ReadonlySet<string> = new Set([
  'client_id',
  'client_id_issued_at',
  'client_name',
  'redirect_uris',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'subject_type',
  'id_token_signed_response_alg',
]);

/** PostgreSQL's jsonb accepts no NUL and no unpaired surrogates. Other control characters display badly. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
/** RFC 3986. */
const URI = /^[!-~]+$/;

/** Clients that ask for a secret get none, and their registration says so (RFC 7591, 3.2.1). */
const SECRET_METHOD = /^client_secret_/;

/**
 * Removes the members that are not stored.
 * @throws InvalidClientMetadata
 */
export function keepMetadata(metadata: ClientMetadata): void {
  for (const name of Object.keys(metadata)) if (!KEPT.has(name)) delete metadata[name];
  // Native clients may choose a loopback port (RFC 8252, 7.3), and may use plain HTTP only on their own machine.
  metadata.application_type = 'native';
  const { token_endpoint_auth_method: method = '' } = metadata;
  if (SECRET_METHOD.test(method)) metadata.token_endpoint_auth_method = 'none';
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) {
    throw new errors.InvalidClientMetadata(`the metadata must have at most ${MAX_METADATA_BYTES} bytes`);
  }
  if (typeof metadata.client_name === 'string' && UNPRINTABLE.test(metadata.client_name)) {
    throw new errors.InvalidClientMetadata('client_name must have no control characters');
  }
  const uris: unknown = metadata.redirect_uris;
  if (!Array.isArray(uris)) return;
  for (const uri of uris) requireHonest(uri);
  metadata.redirect_uris = uris.filter(isOwned);
  if (metadata.redirect_uris.length === 0 && uris.length > 0) {
    throw new errors.InvalidClientMetadata(
      'redirect_uris must begin with https, http to the same machine, or a scheme such as com.example.app',
    );
  }
}

/**
 * Whether only the client's maker can claim the address. The scheme of an app is a reversed domain name (RFC 8252, 7.1); one
 * without a dot may belong to any app. Clients register several addresses, so only this one is dropped.
 */
function isOwned(uri: string): boolean {
  const url = URL.parse(uri);
  // The library refuses what is not a URL.
  return url === null || /^https?:$/.test(url.protocol) || url.protocol.includes('.');
}

function requireHonest(uri: unknown): void {
  const isHonest = typeof uri === 'string' && URI.test(uri) && (URL.parse(uri)?.username ?? '') === '';
  if (!isHonest) {
    throw new errors.InvalidClientMetadata('redirect_uris must only contain uris, without a user name');
  }
}

/** The library may fetch twice for one page. */
const FETCH_TIMEOUT_MS = 2_500;
/** The library limits a client's document to 5 KiB. This bounds the memory before that. */
const MAX_DOCUMENT_BYTES = 64 * 1_024;

type FetchDocument = NonNullable<Configuration['fetch']>;

export function createDocumentFetch({ reach, config, log }: Services): FetchDocument {
  const guard = createGuard(reach.anonymous, {
    nat64: parseNat64Prefixes(config.nat64Prefixes),
    report: (failed) => log.warn(failed, 'could not connect to a client’s document'),
  });
  return async (target, init) => {
    // The library passes a Request of Node; the agent needs one of undici.
    const { url, method, headers } = new Request(target, init);
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    const agent = createGuardedAgent(guard, signal);
    try {
      const answer = await fetch(url, {
        method,
        headers: [...headers],
        redirect: 'manual',
        dispatcher: agent.dispatcher,
        signal,
      });
      const body = await readWithin(answer.body, MAX_DOCUMENT_BYTES);
      return new Response(body, { status: answer.status, headers: [...answer.headers] });
    } finally {
      await agent.destroy();
    }
  };
}

/** @throws Error when the body is larger */
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
