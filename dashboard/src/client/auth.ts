// The doors at /auth/: who is signed in, in this browser, by its cookie. Everything else goes through /v1 with a token.
import { problemOf, unreachable } from './problem.ts';

export interface SignedIn {
  user: {
    id: string;
    email: string;
    name: string;
    accountId: string;
    hasPassword: boolean;
    /** Asked for, and not confirmed yet. */
    pendingEmail: string | null;
  };
  /** Null for users who are no operators, and where the settings name no UI. */
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
  const response = await fetch(`/auth/${path}`, init).catch(() => undefined);
  if (response === undefined) throw unreachable();
  if (!response.ok) throw await problemOf(response);
  // The server's own doors: their shapes are written down in docs/dashboard.md.
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Null when nobody is. */
export const whoIsSignedIn = async (): Promise<SignedIn | null> => askAuth<SignedIn | null>('get-session');
