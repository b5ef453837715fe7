// A check's failure to fetch, with what the origin said: nothing in it repeats the URL's query, a header or a library's error.
import { CheckError, type CheckErrorCode } from '../../core/errors.ts';
import { classifyFailure, type OutboundFailureKind } from '../../outbound/failure.ts';

export class FetchFailure extends CheckError {
  /** Status of the last response; undefined when there was none. */
  httpStatus: number | undefined;
  /** How long the origin asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(code: CheckErrorCode, detail = '', retryAfterMs?: number) {
    super(code, detail);
    this.name = 'FetchFailure';
    this.retryAfterMs = retryAfterMs;
  }
}

const CERTIFICATE_WORDS =
  'Its certificate is not to be trusted: expired, made out to another name, or self-signed.';

/** A refused address, a name without one and a closed port are the same to whoever asks (decision 26). */
const FAILURES: Record<OutboundFailureKind, readonly [CheckErrorCode, string]> = {
  refused: ['origin_unreachable', ''],
  dns: ['origin_unreachable', ''],
  timeout: ['origin_timeout', ''],
  certificate: ['origin_unreachable', CERTIFICATE_WORDS],
  unreachable: ['origin_unreachable', ''],
};

/** The failure of a request that got no response. */
export function connectionFailure(error: unknown): FetchFailure {
  return new FetchFailure(...FAILURES[classifyFailure(error)]);
}
