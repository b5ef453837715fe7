// The options of the client and of its calls.

export interface RecordwatchOptions {
  /** The service's address, without `/v1`. */
  baseUrl: string;
  /** An API key, a session's token, or a function that gets a token before each request. None for `sessions.create` and `keyRequests.start`. */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Repetitions of a request that was not answered, or with 429 or 5xx. 4 by default. */
  maxRetries?: number | undefined;
  /** The time for one attempt, in addition to `waitSeconds`. 60,000 by default. */
  timeoutMs?: number | undefined;
  /** A longer `Retry-After` is not waited for: the call throws, or with endless repetitions waits this long. 120,000 by default. */
  maxRetryWaitMs?: number | undefined;
  /** Reads the JSON of an answer. `JSON.parse` by default, which rounds numbers of more than 15 digits. */
  parseJson?: ((text: string) => unknown) | undefined;
  /** Sends the requests. The global `fetch` by default. */
  fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  maxRetries?: number | undefined;
  timeoutMs?: number | undefined;
}

/** Of calls that can wait until a check is done. */
export interface WaitOptions extends CallOptions {
  /** 1 to 60. */
  waitSeconds?: number | undefined;
}

/** Of calls that change something. */
export interface ChangeOptions extends WaitOptions {
  /** Requests with the same key are carried out once within 24 hours. Each call gets a random one by default. */
  idempotencyKey?: string | undefined;
}
