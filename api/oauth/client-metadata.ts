// What clients say of themselves, at registration or in a document of their own: how it is fetched and what is kept.
import { type ClientMetadata, type Configuration, errors } from 'oidc-provider';
import { fetch } from 'undici';
import { createGuard } from '../../outbound/guard.ts';
import { createGuardedAgent } from '../../outbound/guarded-agent.ts';
import { parseNat64Prefixes } from '../../core/network/nat64.ts';
import type { Services } from '../contract/context.ts';

/** As much as a client's own document may have. */
const MAX_METADATA_BYTES = 5 * 1_024;

/** The rest is neither used nor stored: addresses that would be fetched, pictures, scopes to be held to later. */
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

/** PostgreSQL reads no JSON that holds a NUL or half of a surrogate pair; the others show wrong on a page. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
/** RFC 3986. */
const URI = /^[!-~]+$/;

/** Clients that ask for a secret get none: this is what their registration then says (RFC 7591 3.2.1). */
const SECRET_METHOD = /^client_secret_/;

/** Leaves of a client's metadata what is kept. @throws InvalidClientMetadata */
export function keepMetadata(metadata: ClientMetadata): void {
  for (const name of Object.keys(metadata)) if (!KEPT.has(name)) delete metadata[name];
  // Native clients may choose a port of their own (RFC 8252 7.3), and get plain http to no other machine.
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
      'redirect_uris must begin with https, http to the own machine, or a scheme such as com.example.app',
    );
  }
}

/**
 * Whether nobody but the client's maker has a claim to the address. A scheme of an app's own is a domain name in reverse
 * (RFC 8252 7.1): one without a dot may belong to any app. Clients register several addresses, so it is left out alone.
 */
function isOwned(uri: string): boolean {
  const url = URL.parse(uri);
  // One that is no URL at all is the library's to refuse.
  return url === null || /^https?:$/.test(url.protocol) || url.protocol.includes('.');
}

function requireHonest(uri: unknown): void {
  const isHonest = typeof uri === 'string' && URI.test(uri) && (URL.parse(uri)?.username ?? '') === '';
  if (!isHonest) {
    throw new errors.InvalidClientMetadata('redirect_uris must only contain uris, without a user name');
  }
}

/** The library may ask twice for one page. */
const FETCH_TIMEOUT_MS = 2_500;
/** A client's document may have 5 KiB; the library looks closer. */
const MAX_DOCUMENT_BYTES = 64 * 1_024;

type FetchDocument = NonNullable<Configuration['fetch']>;

export function createDocumentFetch({ reach, config, log }: Services): FetchDocument {
  const guard = createGuard(reach.anonymous, {
    nat64: parseNat64Prefixes(config.nat64Prefixes),
    report: (failed) => log.warn(failed, 'no connection was made to a client’s document'),
  });
  return async (target, init) => {
    // The library's own words for a request, in the classes of Node; the agent belongs to those of undici.
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
