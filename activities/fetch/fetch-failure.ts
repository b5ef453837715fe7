// Why a fetch failed. The text never contains the URL's query, a header or a library's error.
import type { OriginAnswer } from '../../core/checks.ts';
import { CheckError, type CheckErrorCode } from '../../core/errors.ts';
import { classifyFailure, type OutboundFailureKind } from '../../outbound/failure.ts';

export class FetchFailure extends CheckError {
  /** Status of the last response; undefined without one. */
  httpStatus: number | undefined;
  #answer: OriginAnswer | null = null;
  /** From the Retry-After header, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(code: CheckErrorCode, detail = '', retryAfterMs?: number) {
    super(code, detail);
    this.name = 'FetchFailure';
    this.retryAfterMs = retryAfterMs;
  }

  /** An excerpt of the last response; null if there was none. The field is private, so logs of errors never contain it. */
  get answer(): OriginAnswer | null {
    return this.#answer;
  }

  set answer(answer: OriginAnswer) {
    this.#answer = answer;
  }
}

const CERTIFICATE_WORDS = 'Its certificate is not trusted: expired, issued for another name, or self-signed.';

const INVALID_WORDS =
  'It answered, but not in valid HTTP: a header has a character that is not allowed, or Content-Length is repeated, no number, or beside Transfer-Encoding.';

/** A refused address, an unknown name and a closed port look the same from outside (decision 26). */
const FAILURES: Record<OutboundFailureKind, readonly [CheckErrorCode, string]> = {
  refused: ['origin_unreachable', ''],
  dns: ['origin_unreachable', ''],
  timeout: ['origin_timeout', ''],
  certificate: ['origin_unreachable', CERTIFICATE_WORDS],
  tls: ['origin_unreachable', ''],
  invalid_headers: ['origin_unreachable', INVALID_WORDS],
  unreachable: ['origin_unreachable', ''],
};

/** The failure of a request that got no response. */
export function connectionFailure(error: unknown): FetchFailure {
  return new FetchFailure(...FAILURES[classifyFailure(error)]);
}
