// The routes under /auth/: who is signed in, in this browser, by its cookie. All other calls use /v1 with a token.
import { problemOf, unreachable } from './problem.ts';
import { timeLimit } from './time-limit.ts';

export interface SignedIn {
  user: {
    id: string;
    email: string;
    name: string;
    accountId: string;
    hasPassword: boolean;
    /** Requested, but not confirmed yet. */
    pendingEmail: string | null;
  };
  /** Null for users who are not operators, and if no UI is configured. */
  temporalUi: { url: string; namespace: string } | null;
}

/** @throws Problem */
export async function postAuth<T>(path: string, body: object = {}): Promise<T> {
  return askAuth<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** @throws Problem */
export async function askAuth<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(`/auth/${path}`, { signal: timeLimit(), ...init }).catch(() => undefined);
  if (response === undefined) throw unreachable();
  if (!response.ok) throw await problemOf(response);
  // Routes outside of OpenAPI. docs/dashboard.md describes their shapes.
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Null if nobody is signed in. */
export const whoIsSignedIn = async (): Promise<SignedIn | null> => askAuth<SignedIn | null>('get-session');
