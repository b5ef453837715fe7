// What calls are made with: the token of an anonymous session, or that of a person who signed in.
import { postAuth } from './auth.ts';
import { readStored } from './stored.ts';

export interface Credentials {
  /** Of whom: queries of one caller are never shown to another. */
  id: string;
  /** The value for Authorization: Bearer. */
  bearer: () => Promise<string>;
  /** The server knows the value no longer: the next one is asked for anew, where there is a next one. */
  forget: () => void;
}

interface DashboardToken {
  token: string;
  expiresAt: string;
}

/** Renewed this long before it expires, so that no call is made with one that ends on its way. */
const MARGIN_MS = 30_000;

/** A short-lived token for the login session that the browser's cookie names; kept in memory alone. */
export function loginCredentials(userId: string): Credentials {
  let asked: Promise<DashboardToken> | undefined;
  const isFresh = ({ expiresAt }: DashboardToken): boolean => Date.parse(expiresAt) - Date.now() > MARGIN_MS;
  const ask = async (): Promise<DashboardToken> => {
    asked = postAuth<DashboardToken>('token');
    asked.catch(() => (asked = undefined));
    return asked;
  };
  return {
    id: `user:${userId}`,
    bearer: async () => {
      const held = await asked;
      return (held !== undefined && isFresh(held) ? held : await ask()).token;
    },
    forget: () => (asked = undefined),
  };
}

export interface AnonymousSession {
  id: string;
  token: string;
  expiresAt: string;
}

const SESSION_ITEM = 'recordwatch.session';

export const sessionCredentials = ({ id, token }: AnonymousSession): Credentials => ({
  id: `session:${id}`,
  bearer: async () => token,
  forget: () => undefined,
});

/** The session that was begun in this browser and has not ended, as far as its own clock says. */
export function heldSession(): AnonymousSession | undefined {
  const { id, token, expiresAt } = readStored<AnonymousSession>(SESSION_ITEM) ?? {};
  if (id === undefined || token === undefined || expiresAt === undefined) return undefined;
  return Date.parse(expiresAt) > Date.now() ? { id, token, expiresAt } : undefined;
}

export const holdSession = (session: AnonymousSession): void =>
  localStorage.setItem(SESSION_ITEM, JSON.stringify(session));

export const dropSession = (): void => localStorage.removeItem(SESSION_ITEM);
