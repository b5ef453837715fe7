// What calls throw: one class for each family of errors. `code` says exactly what happened (docs/errors.md).
import type { ApiErrorCode, FieldFault } from './models.ts';

/** Everything that the client throws by itself. An aborted call throws the signal's reason. */
export class RecordwatchError extends Error {
  override name = 'RecordwatchError';
}

/** No complete answer arrived. A request that changes something may have been carried out. */
export class ConnectionError extends RecordwatchError {
  override name = 'ConnectionError';
  readonly code = 'unreachable';
}

/** The answer is not one of Recordwatch, but for example a proxy's. */
export class UnreadableAnswerError extends RecordwatchError {
  override name = 'UnreadableAnswerError';
  readonly code = 'unreadable';
  /** The service's address, if the error knows it. */
  readonly baseUrl: string | undefined;

  constructor(baseUrl?: string, options?: ErrorOptions) {
    const where = baseUrl === undefined ? '' : ` at ${baseUrl}`;
    super(
      `The service${where} did not answer as Recordwatch does. Check that its address is right.`,
      options,
    );
    this.baseUrl = baseUrl;
  }
}

/** The request was carried out before its answer was lost, and its secret is not shown a second time. */
export class SecretNotShownError extends RecordwatchError {
  override name = 'SecretNotShownError';
  readonly code = 'secret_not_shown';
  /** What was created. Delete it and create another, or rotate its secret. */
  readonly id: string | undefined;

  constructor(id: string | undefined) {
    super(
      `${id ?? 'It'} was created, but the answer with its secret was lost. Delete it and create another, or rotate its secret.`,
    );
    this.id = id;
  }
}

/** The answer of a refused request: a problem document (RFC 9457). */
export interface ProblemDocument {
  title?: string;
  detail?: string;
  code?: string;
  requestId?: string;
  upgradeUrl?: string;
  errors?: FieldFault[];
}

/** The API refused a request. */
export class ApiError extends RecordwatchError {
  override name = 'ApiError';
  readonly status: number;
  /** Stable. `unreadable` if the answer is not the API's, but for example a proxy's. */
  readonly code: ApiErrorCode | 'unreadable';
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** Every fault of the request. */
  readonly errors: readonly FieldFault[];
  /** The place of the first fault: a JSON pointer into the body, or the name of a parameter. */
  readonly pointer: string | undefined;
  /** How long the API asks to wait before the request is repeated. */
  readonly retryAfterMs: number | undefined;
  /** With `plan_required`: where to get a paid tier, if the operator has set it. */
  readonly upgradeUrl: string | undefined;

  constructor(status: number, problem: ProblemDocument, retryAfterMs?: number) {
    super(problem.detail ?? `The server answered ${status}.`);
    this.status = status;
    // Later versions may add codes: programs that compare codes see them as texts.
    this.code = (problem.code as ApiErrorCode | undefined) ?? 'unreadable';
    this.requestId = problem.requestId;
    this.errors = problem.errors ?? [];
    this.pointer = this.errors[0]?.pointer;
    this.retryAfterMs = retryAfterMs;
    this.upgradeUrl = problem.upgradeUrl;
  }
}

/** 400 and other faults of the request itself: an unknown parameter, a cursor of another list, a body too large. */
export class RequestError extends ApiError {
  override name = 'RequestError';
}

/** 401: the credential is missing, unknown, revoked or expired. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 402: the account's plan does not include this. */
export class PlanError extends ApiError {
  override name = 'PlanError';
}

/** 403: the credential's scope does not allow this. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}

/** 404: it does not exist, or the credential cannot see it. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 409: the present state does not allow the request. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/** 410: it existed, and no longer does. */
export class GoneError extends ApiError {
  override name = 'GoneError';
}

/** The feed cannot continue after the stored place: the events after it are gone, or it is of another feed. */
export class FeedGoneError extends GoneError {
  override name = 'FeedGoneError';

  constructor(gone: GoneError) {
    super(gone.status, {
      code: gone.code,
      errors: [...gone.errors],
      detail: `${gone.message} Clear the stored place, and follow again.`,
      ...(gone.requestId === undefined ? {} : { requestId: gone.requestId }),
    });
  }
}

/** 422: a field is missing or has a value that is not allowed. `errors` lists every fault. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}

/** 429: too many requests, after all repetitions. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** 5xx: a fault of the service, or of a proxy in front of it, after all repetitions. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

const FAMILIES: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  402: PlanError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  422: ValidationError,
  429: RateLimitError,
};

/** @param text the body of the answer, which a proxy may have written */
export function apiErrorOf(status: number, text: string, retryAfterMs?: number): ApiError {
  const Family = FAMILIES[status] ?? familyOf(status);
  return new Family(status, readProblem(text), retryAfterMs);
}

function familyOf(status: number): typeof ApiError {
  if (status >= 500) return ServerError;
  return status >= 400 ? RequestError : ApiError;
}

/** Whether another server answered in place of the service, such as a proxy. */
export const isForeign = (error: unknown): boolean =>
  error instanceof UnreadableAnswerError || (error instanceof ApiError && error.code === 'unreadable');

function readProblem(text: string): ProblemDocument {
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem !== 'object' || problem === null || Array.isArray(problem)) return {};
    const { errors } = problem as { errors?: unknown };
    const texts = Object.entries(problem).filter(([name, value]) => TEXTS.has(name) && isText(value));
    return { ...Object.fromEntries(texts), errors: Array.isArray(errors) ? errors.filter(isFault) : [] };
  } catch {
    return {};
  }
}

/** The members of a problem that are texts. Those of a proxy may be anything, such as a `code` that is a number. */
const TEXTS = new Set(['title', 'detail', 'code', 'requestId', 'upgradeUrl']);

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** A proxy may have errors of its own, of any shape. */
const isFault = (error: unknown): error is FieldFault =>
  typeof error === 'object' && error !== null && 'pointer' in error && typeof error.pointer === 'string';
