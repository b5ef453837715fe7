// Finds the signed-in user by the browser's cookie. The library is loaded at the first cookie or sign-in.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '../../db/access/users.ts';
import { ADDRESS_HEADER, cookieName } from './cookie.ts';
import type { Library, LibraryOptions } from './library.ts';
import { isRefusal, signedOut } from './library-errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The browser's session and its user; null if nobody is signed in. */
    findLogin: (request: FastifyRequest) => Promise<Login | null>;
    /**
     * Notes that the signed-in user has given their password.
     * @throws ApiError validation_failed when it is another one; unauthenticated, rate_limited
     */
    confirmPassword: (request: FastifyRequest, password: string) => Promise<void>;
  }
}

export interface Login {
  user: User;
  session: { id: string; expiresAt: Date };
}

export interface Logins {
  library: () => Promise<Library>;
  find: (request: FastifyRequest) => Promise<Login | null>;
  /** Like `findLogin`, and extends the session. */
  use: (request: FastifyRequest, reply: FastifyReply) => Promise<Login | null>;
  /** @throws ApiError unauthenticated */
  require: (request: FastifyRequest, reply: FastifyReply) => Promise<Login>;
  /**
   * Signs a user in.
   * @param beforeCookie what must succeed before the browser gets the session
   * @returns the token in the cookie
   * @throws ApiError unauthenticated
   */
  begin: (
    request: FastifyRequest,
    reply: FastifyReply,
    userId: string,
    beforeCookie?: () => Promise<void>,
  ) => Promise<string>;
  /** Sends the library's cookie to the browser. */
  answer: (reply: FastifyReply, headers: Headers | null | undefined) => void;
}

export function createLogins(options: LibraryOptions): Logins {
  let loaded: Promise<Library> | undefined;
  const name = cookieName(options.services.config.baseUrl);
  const library: Logins['library'] = async () =>
    (loaded ??= load(options).catch((error: unknown) => {
      // Its files may be back at the next try.
      loaded = undefined;
      throw error;
    }));
  const answer: Logins['answer'] = (reply, headers) => {
    const cookies = headers?.getSetCookie() ?? [];
    // The library also clears other cookies, which are never set.
    for (const cookie of cookies) if (cookie.startsWith(`${name}=`)) void reply.header('set-cookie', cookie);
  };
  const hasCookie = ({ headers }: FastifyRequest): boolean => (headers.cookie ?? '').includes(`${name}=`);
  const find: Logins['find'] = async (request) => {
    if (!hasCookie(request)) return null;
    const { api } = await library();
    return loginOf(await api.getSession({ headers: browserOf(request), query: { disableRefresh: true } }));
  };
  const use: Logins['use'] = async (request, reply) => {
    if (!hasCookie(request)) return null;
    const { api } = await library();
    try {
      const { headers, response } = await api.getSession({
        headers: browserOf(request),
        returnHeaders: true,
      });
      answer(reply, headers);
      return loginOf(response);
    } catch (error) {
      // Another browser ended the session meanwhile.
      if (isRefusal(error)) return null;
      throw error;
    }
  };
  const begin: Logins['begin'] = async (request, reply, userId, beforeCookie) => {
    const { api } = await library();
    const { headers, response } = await api.beginSession({
      body: { userId },
      headers: browserOf(request),
      returnHeaders: true,
    });
    await beforeCookie?.();
    answer(reply, headers);
    return response.token;
  };
  return {
    library,
    find,
    use,
    begin,
    answer,
    require: async (request, reply) => {
      const login = await use(request, reply);
      if (login === null) throw signedOut();
      return login;
    },
  };
}

async function load(options: LibraryOptions): Promise<Library> {
  const { openLibrary } = await import('./library.ts');
  return openLibrary(options);
}

interface Found {
  // The library types our field as optional.
  user: Omit<User, 'accountId'> & { accountId?: string | null | undefined };
  session: { id: string; expiresAt: Date };
}

function loginOf(found: Found | null): Login | null {
  if (found === null) return null;
  const { id, email, name, accountId } = found.user;
  const { session } = found;
  return {
    user: { id, email, name, accountId: accountId ?? '' },
    session: { id: session.id, expiresAt: session.expiresAt },
  };
}

const MAX_AGENT_CHARACTERS = 300;

/** The headers of a request that the library gets. */
export function browserOf({ headers, ip }: FastifyRequest): Headers {
  return new Headers({
    cookie: headers.cookie ?? '',
    'user-agent': (headers['user-agent'] ?? '').slice(0, MAX_AGENT_CHARACTERS),
    [ADDRESS_HEADER]: ip,
  });
}
