// What is kept of all that clients say of themselves, at their registration or in a document of their own.
import { type ClientMetadata, errors } from 'oidc-provider';

/** As much as a client's own document may have. */
const LIMIT_BYTES = 5 * 1_024;

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
  if (Buffer.byteLength(JSON.stringify(metadata)) > LIMIT_BYTES) {
    throw new errors.InvalidClientMetadata(`the metadata must have at most ${LIMIT_BYTES} bytes`);
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
