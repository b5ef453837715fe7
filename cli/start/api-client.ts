// Calls the HTTP API the way any customer does, with a key.

export interface ApiClient {
  /** @throws CallError for any status that is not 2xx */
  call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<{ [name: string]: string }>,
  ) => Promise<{ [field: string]: unknown }>;
}

export class CallError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const TIMEOUT_MS = 15_000;

export function openApi(baseUrl: string, apiKey: string): ApiClient {
  return {
    call: async (method, path, body, headers) => {
      const answer = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await answer.text();
      if (!answer.ok)
        throw new CallError(answer.status, `${method} ${path} answered ${answer.status}: ${text}`);
      return text === '' ? {} : JSON.parse(text);
    },
  };
}
