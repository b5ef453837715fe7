// What went wrong with a command that talks to a service: the service's code and words, what to do, and the exit code.

interface Details {
  /** The API's code. */
  code?: string | undefined;
  /** Each fault of the request, as “field: what is wrong”. */
  faults?: readonly string[];
  advice?: string | undefined;
  exitCode?: number;
}

const FAILED = 1;

export class ServiceFault extends Error {
  readonly code: string | undefined;
  readonly faults: readonly string[];
  readonly advice: string | undefined;
  readonly exitCode: number;

  constructor(message: string, details: Details = {}) {
    const { code, faults = [], advice, exitCode = FAILED } = details;
    super(message);
    this.code = code;
    this.faults = faults;
    this.advice = advice;
    this.exitCode = exitCode;
  }
}
