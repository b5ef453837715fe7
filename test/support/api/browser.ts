// The part of a browser that a sign-in needs: keeps cookies and sends the headers of our pages.
import { randomBytes } from 'node:crypto';
import { createLink } from '../../../api/auth/links.ts';
import { addUser } from '../../../api/auth/new-user.ts';
import type { User } from '../../../db/access/users.ts';
import type { Answer, TestApi } from './api.ts';

export interface Browser {
  get: (path: string) => Promise<Answer>;
  post: (path: string, body?: object, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  delete: (path: string) => Promise<Answer>;
  /** The cookie header that it sends. */
  cookie: () => string;
}

export function browserAt(api: TestApi, cookies = new Map<string, string>()): Browser {
  const cookie = (): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const call = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    options: object = {},
  ): Promise<Answer> => {
    const { headers = {}, ...rest } = options as { headers?: Record<string, string> };
    const answer = await api.call(method, path, {
      key: null,
      headers: { cookie: cookie(), 'sec-fetch-site': 'same-origin', ...headers },
      ...rest,
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) keep(cookies, line);
    return answer;
  };
  return {
    cookie,
    get: (path) => call('GET', path),
    post: (path, body = {}, headers = {}) => call('POST', path, { body, headers }),
    delete: (path) => call('DELETE', path),
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ');
  const [name = '', value = ''] = pair.split('=');
  if (attributes.includes('Max-Age=0')) cookies.delete(name);
  else cookies.set(name, value);
}

export const newEmail = (): string => `${randomBytes(6).toString('hex')}@example.com`;

/** Creates a user without a password, and a sign-in link for them. */
export async function newUser(
  { db, accountId: own }: TestApi,
  accountId = own,
): Promise<{ user: User; link: string }> {
  const user = await addUser(db, { accountId, email: newEmail(), name: 'Ada' });
  return { user, link: await createLink(db, { kind: 'sign-in', userId: user.id }) };
}

/** Opens a browser in which this user is signed in. */
export async function signInByLink(api: TestApi, user: Pick<User, 'id'>): Promise<Browser> {
  const browser = browserAt(api);
  const token = await createLink(api.db, { kind: 'sign-in', userId: user.id });
  const { status } = await browser.post('/auth/link', { token });
  if (status !== 200) throw new Error(`Not signed in: ${status}`);
  return browser;
}

export const PASSWORD = 'correct horse battery staple';

/** Creates a user with this password. */
export async function newUserWithPassword(api: TestApi, password = PASSWORD): Promise<User> {
  const { user } = await newUser(api);
  const browser = await signInByLink(api, user);
  const { status } = await browser.post('/auth/change-password', { newPassword: password });
  if (status !== 200) throw new Error(`No password was set: ${status}`);
  return user;
}
