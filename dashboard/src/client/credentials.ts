// What calls are made with: the token of an anonymous session, or that of a person who signed in.
import { postAuth } from './auth.ts';
import { readStored } from './stored.ts';

export interface Credentials {
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
export function loginCredentials(): Credentials {
  let asked: Promise<DashboardToken> | undefined;
  const ask = (): Promise<DashboardToken> => {
    const asking = postAuth<DashboardToken>('token');
    asked = asking;
    asking.catch(() => {
      if (asked === asking) asked = undefined;
    });
    return asking;
  };
  return {
    bearer: async () => {
      const before = asked;
      if (before === undefined) return (await ask()).token;
      const held = await before;
      if (isFresh(held)) return held.token;
      // Of all that wait, the first one asks.
      return (await (asked === undefined || asked === before ? ask() : asked)).token;
    },
    forget: () => (asked = undefined),
  };
}

const isFresh = ({ expiresAt }: DashboardToken): boolean => Date.parse(expiresAt) - Date.now() > MARGIN_MS;

export interface AnonymousSession {
  id: string;
  token: string;
  expiresAt: string;
}

const SESSION_ITEM = 'recordwatch.session';

export const sessionCredentials = ({ token }: AnonymousSession): Credentials => ({
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
