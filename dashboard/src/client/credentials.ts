// What calls authenticate with: the token of an anonymous session, or of a signed-in user.
import { postAuth } from './auth.ts';
import { Problem } from './problem.ts';
import { readStored } from './stored.ts';

export interface Credentials {
  /** The value for Authorization: Bearer. */
  bearer: () => Promise<string>;
  /** Called when the server rejects the value. The next call gets a new one, if there can be one. */
  forget: () => void;
}

interface DashboardToken {
  /** Undefined: from an API of an earlier version. */
  userId?: string;
  token: string;
  expiresAt: string;
}

/** A token is renewed this long before it expires, so that no call carries one that expires on its way. */
const MARGIN_MS = 30_000;

/**
 * A short-lived token for the browser's login session, kept in memory only.
 * @param userId whom the page shows: a token of another user, who signed in meanwhile, counts as none
 */
export function loginCredentials(userId: string): Credentials {
  let asked: Promise<DashboardToken> | undefined;
  const ask = (): Promise<DashboardToken> => {
    const asking = postAuth<DashboardToken>('token').then((given) => {
      if ((given.userId ?? userId) !== userId) throw otherUser();
      return given;
    });
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

const otherUser = (): Problem =>
  new Problem(401, { code: 'unauthenticated', detail: 'Another user has signed in with this browser.' });

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

/** Forgets this session. Another one, which another tab has stored, stays. */
export function dropSession(id: string): void {
  if (readStored<AnonymousSession>(SESSION_ITEM)?.id === id) localStorage.removeItem(SESSION_ITEM);
}
