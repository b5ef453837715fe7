// A refusal of the API: the problem document (RFC 9457) as an error.

export interface FieldFault {
  pointer: string;
  code: string;
  detail: string;
}

export class Problem extends Error {
  readonly status: number;
  /** Stable: docs/errors.md lists the codes. */
  readonly code: string;
  readonly faults: readonly FieldFault[];
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(status: number, body: Partial<ProblemBody>) {
    super(body.detail ?? `The server answered ${status}.`);
    this.name = 'Problem';
    this.status = status;
    this.code = body.code ?? 'unreadable';
    this.faults = Array.isArray(body.errors) ? body.errors.filter(isFault) : [];
    this.requestId = body.requestId;
  }
}

interface ProblemBody {
  code: string;
  detail: string;
  errors: unknown;
  requestId: string;
}

/** A proxy may send `errors` of its own. */
function isFault(item: Partial<FieldFault> | null): item is FieldFault {
  return typeof item?.pointer === 'string' && typeof item.detail === 'string';
}

export async function problemOf(response: Response): Promise<Problem> {
  // A proxy in between may answer with anything.
  const body = await response.json().catch(() => ({}));
  return new Problem(response.status, typeof body === 'object' && body !== null ? body : {});
}

/** A request that got no answer. */
export const unreachable = (): Problem =>
  new Problem(0, {
    code: 'unreachable',
    detail: 'The server cannot be reached. Try again in a moment.',
  });

export const isProblem = (error: unknown, code?: string): error is Problem =>
  error instanceof Problem && (code === undefined || error.code === code);
