// The closed list of error codes, and the one error class that carries them.
// Every code has a section in docs/errors.md; a test holds the two together.

/** Codes of the HTTP API: status and title of the problem document (RFC 9457). */
export const API_ERRORS = {
  bad_request: { status: 400, title: 'The request could not be read' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_parameter: { status: 400, title: 'A parameter is not valid' },
  invalid_cursor: { status: 400, title: 'The cursor is not valid here' },
  unauthenticated: { status: 401, title: 'No valid credential' },
  plan_required: { status: 402, title: 'The account’s plan does not include this' },
  insufficient_scope: { status: 403, title: 'The credential’s scope does not allow this' },
  recent_sign_in_required: { status: 403, title: 'The last sign-in is too long ago for this' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  conflict: { status: 409, title: 'Conflict with the present state' },
  idempotency_in_progress: { status: 409, title: 'The first request with this Idempotency-Key still runs' },
  gone: { status: 410, title: 'No longer available' },
  body_too_large: { status: 413, title: 'The request body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be application/json' },
  host_not_allowed: { status: 421, title: 'The request is for another host' },
  validation_failed: { status: 422, title: 'The request is not valid' },
  url_not_allowed: { status: 422, title: 'This URL is not allowed' },
  different_keys: { status: 422, title: 'The two versions are keyed differently' },
  idempotency_key_reused: { status: 422, title: 'This Idempotency-Key belongs to another request' },
  query_too_expensive: { status: 422, title: 'This question takes too long to answer' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The request’s headers are too large' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'A part of the service does not answer' },
} as const;

/** Codes of checks that failed or are held, with a sentence for the record's owner. */
export const CHECK_ERRORS = {
  url_not_allowed: 'The URL leads to an address that checks may not contact.',
  credentials_unreadable: 'The record’s source credentials cannot be opened; enter them again.',
  origin_unreachable: 'The origin could not be reached.',
  origin_timeout: 'The origin did not answer in time.',
  http_error: 'The origin answered with an error status.',
  too_many_redirects: 'The origin redirected too often.',
  redirect_not_allowed: 'The origin redirected to an address that is not allowed.',
  body_too_large: 'The body is larger than the record’s tier allows.',
  body_truncated: 'The body ended before it was complete.',
  empty_body: 'The origin sent an empty body.',
  unsupported_encoding: 'The body’s compression is not supported or is damaged.',
  encoding_invalid: 'The body is not valid text in its character encoding.',
  unexpected_content: 'The origin sent a web page, not data.',
  header_unclear: 'It is not clear which line names the columns.',
  malformed_body: 'The body could not be read as the record’s format.',
  invalid_character: 'The body holds a character that no row can hold (NUL or half of a surrogate pair).',
  missing_key_field: 'A key field is missing from the data.',
  too_many_rows: 'The body has more rows than the record’s tier allows.',
  too_many_columns: 'The body has more columns than allowed.',
  row_too_large: 'A row or a value is larger than allowed.',
  body_not_kept: 'The stored body is no longer available.',
  internal: 'Something went wrong on our side; the next check runs as planned.',
  key_repeated: 'The key fields that were chosen for this record no longer tell its rows apart.',
  sharp_drop: 'Far fewer rows than last time; waiting for a second check to confirm.',
} as const;

/** Codes of delivery attempts. */
export const ATTEMPT_ERRORS = {
  url_not_allowed: 'The webhook’s URL leads to an address that may not be contacted.',
  endpoint_unreachable: 'The endpoint could not be reached.',
  endpoint_timeout: 'The endpoint did not answer within 15 seconds.',
  http_error: 'The endpoint answered with a status other than 2xx.',
  mail_refused: 'The mail server did not accept the mail.',
  mail_limit_reached: 'The account has reached its limit of mails an hour, so nothing was sent.',
  webhook_disabled: 'The webhook was disabled before this attempt.',
  secret_unreadable: 'The webhook’s secret can no longer be read, so nothing was sent.',
} as const;

export type ApiErrorCode = keyof typeof API_ERRORS;
export type CheckErrorCode = keyof typeof CHECK_ERRORS;
export type AttemptErrorCode = keyof typeof ATTEMPT_ERRORS;

/** One fault in a request. `pointer` is an RFC 6901 pointer into the body, or the name of a parameter. */
export interface FieldError {
  pointer: string;
  code: string;
  detail: string;
}

interface ApiErrorOptions {
  errors?: FieldError[];
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** An expected failure of an operation. The caller sees its text; the cause is only logged. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly errors: FieldError[];
  /** Seconds until a retry makes sense, if known. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ApiErrorCode, detail: string, options: ApiErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** An expected failure of a check. Its text is stored with the check and shown to the record's owner. */
export class CheckError extends Error {
  readonly code: CheckErrorCode;

  /** @param detail sentences after the code's own one; never contents of rows or secrets */
  constructor(code: CheckErrorCode, detail = '', options: { cause?: unknown } = {}) {
    super(detail === '' ? CHECK_ERRORS[code] : `${CHECK_ERRORS[code]} ${detail}`, options);
    this.name = 'CheckError';
    this.code = code;
  }
}
