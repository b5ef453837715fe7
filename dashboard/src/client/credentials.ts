// What calls authenticate with: the token of an anonymous session, or of a signed-in user.
import { postAuth } from './auth.ts';
import { readStored } from './stored.ts';

export interface Credentials {
  /** The value for Authorization: Bearer. */
  bearer: () => Promise<string>;
  /** Called when the server rejects the value. The next call gets a new one, if there can be one. */
  forget: () => void;
}

interface DashboardToken {
  token: string;
  expiresAt: string;
}

/** A token is renewed this long before it expires, so that no call carries one that expires on its way. */
const MARGIN_MS = 30_000;

/** A short-lived token for the browser's login session, kept in memory only. */
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
      // Several callers may wait for a token. Only the first one requests it.
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

/** The session that was started in this browser and has not ended by the browser's clock. */
export function heldSession(): AnonymousSession | undefined {
  const { id, token, expiresAt } = readStored<AnonymousSession>(SESSION_ITEM) ?? {};
  if (id === undefined || token === undefined || expiresAt === undefined) return undefined;
  return Date.parse(expiresAt) > Date.now() ? { id, token, expiresAt } : undefined;
}

export const holdSession = (session: AnonymousSession): void =>
  localStorage.setItem(SESSION_ITEM, JSON.stringify(session));

export const dropSession = (): void => localStorage.removeItem(SESSION_ITEM);
