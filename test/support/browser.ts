// A browser, as far as signing in needs one: keeps the cookie that it gets, and says that a page of ours asks.
import type { Answer, TestApi } from './api.ts';

export interface Browser {
  get: (path: string) => Promise<Answer>;
  post: (path: string, body?: object, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  delete: (path: string) => Promise<Answer>;
  /** The header that it sends. */
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
