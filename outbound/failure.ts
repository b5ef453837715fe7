// Classifies failures of outbound requests. The library's errors contain URLs and addresses, so they must not get further than
// this. All failures to connect look the same from outside (decision 26).

export type OutboundFailureKind =
  /** The guard refused the address, the port or the name. */
  | 'refused'
  | 'dns'
  /** Connected, but no response in time. */
  | 'timeout'
  /** The certificate is not trusted for this name. */
  | 'certificate'
  /** Connected, but no TLS: often a server that speaks plain HTTP at this port. */
  | 'tls'
  /** A status line of HTTP, and headers that are not valid below it. */
  | 'invalid_headers'
  /** Could not connect, or the connection broke. */
  | 'unreachable';

/** Thrown by the guard itself, inside the dispatcher. */
export class GuardError extends Error {
  readonly kind: 'refused' | 'dns';

  constructor(kind: 'refused' | 'dns') {
    super(kind === 'dns' ? 'The name has no address' : 'The address is not allowed');
    this.name = 'GuardError';
    this.kind = kind;
  }
}

/** Leaves out timeouts of connecting, which would reveal whether a port is closed or filtered. */
const TIMEOUT_CODES: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

const CERTIFICATE_CODE =
  /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_CERT_|INVALID_PURPOSE$|HOSTNAME_MISMATCH$)/;

const TLS_CODE = /^(EPROTO$|ERR_SSL_)/;

/**
 * What undici says of headers below a status line. Of answers that do not begin as HTTP it says other things; these look like a
 * closed port, because else the ports of other services could be found.
 */
const INVALID_HEADERS =
  /\((?:Invalid header (?:token|value char)|[^)]*\bContent-Length\b[^)]*|[^)]*\bTransfer-Encoding\b[^)]*)\)$/i;

const hasInvalidHeaders = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'HTTPParserError'
    ? INVALID_HEADERS.test(error.message)
    : errorCode(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH');

export function classifyFailure(error: unknown): OutboundFailureKind {
  if (error instanceof GuardError) return error.kind;
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout';
  const code = errorCode(error);
  if (TIMEOUT_CODES.has(code)) return 'timeout';
  if (CERTIFICATE_CODE.test(code)) return 'certificate';
  if (hasInvalidHeaders(error)) return 'invalid_headers';
  return TLS_CODE.test(code) ? 'tls' : 'unreachable';
}

/** The code of an error of Node or undici; empty when it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
