// Problem documents (RFC 9457): what a caller sees of an error. Internal errors show no cause; the log has it.
import { RECENT_LOGIN_MINUTES } from '../../db/access/login-sessions.ts';
import { API_ERRORS, ApiError, type ApiErrorCode, type FieldError } from '../../core/errors.ts';

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ApiErrorCode;
  requestId: string;
  errors?: FieldError[];
}

/** Problem documents repeat text that the caller sent, such as names of fields. These limits bound their size. */
const MAX_DETAIL_CHARACTERS = 1_000;
const MAX_POINTER_CHARACTERS = 300;
const MAX_ERRORS = 100;

/** Bounds the size of the problem document, however large the request was. */
export function problemOf(error: ApiError, requestId: string, baseUrl: string): Problem {
  const { status, title } = API_ERRORS[error.code];
  const { code } = error;
  const detail = shortened(error.message, MAX_DETAIL_CHARACTERS);
  const errors = error.errors.slice(0, MAX_ERRORS).map((fault) => ({
    pointer: shortened(fault.pointer, MAX_POINTER_CHARACTERS),
    code: fault.code,
    detail: shortened(fault.detail, MAX_DETAIL_CHARACTERS),
  }));
  const type = `${baseUrl}/docs/errors#${code}`;
  return { type, title, status, detail, code, requestId, ...(errors.length > 0 ? { errors } : {}) };
}

function shortened(text: string, maxCharacters: number): string {
  // The cut may split a surrogate pair.
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1).toWellFormed()}…`;
}

/**
 * For a person who signed in too long ago for a step that needs a recent sign-in.
 * @param deed the step, as a verb phrase
 */
export function signInAgain(deed: string): ApiError {
  return new ApiError(
    'recent_sign_in_required',
    `Sign in again, and ${deed} within ${RECENT_LOGIN_MINUTES} minutes.`,
  );
}

/** One message for both cases: nothing has this id, or the credential may not see it. */
export function notFound(): ApiError {
  return new ApiError('not_found', 'Nothing under this id or slug is visible to this credential.');
}

/** One invalid field of a body. */
export function invalidField(pointer: string, code: string, detail: string): ApiError {
  return new ApiError('validation_failed', `${pointer} ${detail}`, { errors: [{ pointer, code, detail }] });
}

/** Errors of the HTTP framework, thrown before a request reaches an operation. */
const FRAMEWORK_ERRORS: Readonly<Record<string, () => ApiError>> = {
  FST_ERR_BAD_URL: notFound,
  FST_ERR_MAX_PARAM_LENGTH: notFound,
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ApiError('body_too_large', 'Send at most 256 kB.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ApiError('malformed_json', 'The length of the body differs from Content-Length.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ApiError('unsupported_media_type', 'Send JSON with the header Content-Type: application/json.'),
};

/** The database refuses connections, shuts down, has no free connection, or cancelled a statement. */
const DATABASE_IS_AWAY = ['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03', '53300', '57014'];

/** The driver's errors about broken connections have no code. */
const BROKEN_CONNECTION =
  /(?:^| - )(?:Connection terminated|Client (?:has encountered a connection error|was closed)|timeout expired)/;

/** Converts any error to one that callers may see. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { code, name, message } = describe(error);
  const framework = FRAMEWORK_ERRORS[code];
  if (framework !== undefined) return framework();
  const isAway = DATABASE_IS_AWAY.includes(code) || name === 'KnexTimeoutError';
  if (isAway || (code === '' && BROKEN_CONNECTION.test(message))) {
    return new ApiError('unavailable', 'The database does not answer. Try again in a moment.', {
      cause: error,
    });
  }
  return new ApiError('internal', 'It has been logged. Include the request id when you report it.', {
    cause: error,
  });
}

function describe(error: unknown): { code: string; name: string; message: string } {
  if (!(error instanceof Error)) return { code: '', name: '', message: '' };
  const { name, message } = error;
  return { code: 'code' in error ? String(error.code) : '', name, message };
}

/** @param detail what the parameter must be, without its name and without a full stop */
export function invalidParameter(pointer: string, detail: string): ApiError {
  return new ApiError('invalid_parameter', `${pointer} ${detail}.`, {
    errors: [{ pointer, code: 'invalid_value', detail }],
  });
}
