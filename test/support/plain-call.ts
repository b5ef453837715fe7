// Calls an API without holding its answers to what this version declares: it may be of another version, or behind a broken proxy.
import type { Answer } from './servers/system.ts';
import { LIVENESS_MS } from './until.ts';

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

export const CALL_DEADLINE_MS = LIVENESS_MS / 2;

/** @param where read at each call */
export const createCall =
  (where: () => { baseUrl: string; apiKey: string }): Call =>
  async (method, path, body, headers = {}) => {
    const { baseUrl, apiKey } = where();
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_DEADLINE_MS),
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : {},
    };
  };
