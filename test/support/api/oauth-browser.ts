// A browser for OAuth flows, and a client that registers and exchanges codes, by plain requests to a real server.
import { createHash, randomBytes } from 'node:crypto';

export interface Visit {
  status: number;
  headers: Headers;
  text: string;
}

/** Keeps cookies like a browser, and follows no redirect by itself. */
export function openBrowser(baseUrl: string) {
  const cookies = new Map<string, string>();
  let referrerPolicy: string | null = null;
  const visit = async (path: string, init: RequestInit = {}): Promise<Visit> => {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, baseUrl), {
      redirect: 'manual',
      ...init,
      headers: { accept: 'text/html', cookie, ...(init.headers as Record<string, string> | undefined) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    referrerPolicy = response.headers.get('referrer-policy');
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const submit = (path: string, fields: Record<string, string>): Promise<Visit> =>
    visit(path, {
      method: 'POST',
      // As the Fetch standard has it for forms (append a request `Origin` header).
      headers: { origin: referrerPolicy === 'no-referrer' ? 'null' : new URL(baseUrl).origin },
      body: new URLSearchParams(fields),
    });
  return { visit, submit, cookies };
}

export type Browser = ReturnType<typeof openBrowser>;

export interface Pkce {
  verifier: string;
  challenge: string;
}

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export const REDIRECT_URI = 'http://127.0.0.1:4321/callback';

/** Registers a client. @returns its id */
export async function registerClient(baseUrl: string, metadata: object = {}): Promise<string> {
  const response = await fetch(new URL('/oauth/register', baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'A client', redirect_uris: [REDIRECT_URI], ...metadata }),
  });
  const body = (await response.json()) as { client_id?: string };
  if (body.client_id === undefined) throw new Error(`Not registered: ${JSON.stringify(body)}`);
  return body.client_id;
}

/** The path of the authorization page for a client's user. */
export function authorizePath(
  clientId: string,
  { challenge }: Pkce,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'the-state',
    ...more,
  });
  return `/oauth/authorize?${query.toString()}`;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
  error?: string;
}

/** Requests tokens. */
export async function requestTokens(
  baseUrl: string,
  fields: Record<string, string>,
): Promise<{ status: number; body: Tokens }> {
  const response = await fetch(new URL('/oauth/token', baseUrl), {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  return { status: response.status, body: (await response.json()) as Tokens };
}

/** Goes from the client's link to its code, with the user's answers on the consent page. */
export async function obtainCode(
  browser: Browser,
  path: string,
  answers: Record<string, string>,
): Promise<URL> {
  const start = await browser.visit(path);
  const interaction = start.headers.get('location');
  if (interaction === null) throw new Error(`No page to answer: ${start.text}`);
  await browser.visit(interaction);
  const answered = await browser.submit(interaction, { answer: 'allow', ...answers });
  const resume = answered.headers.get('location');
  if (resume === null) throw new Error(`Not accepted: ${answered.text}`);
  const done = await browser.visit(resume);
  const location = done.headers.get('location');
  if (location === null) throw new Error(`Not sent back: ${done.status} ${done.text}`);
  return new URL(location);
}

/** Connects a client to an account, with every step. */
export async function connectNewClient(
  baseUrl: string,
  { key, scope, requested }: { key: string; scope: string; requested?: string },
): Promise<Tokens & { clientId: string }> {
  const clientId = await registerClient(baseUrl);
  const pkce = newPkce();
  const path = authorizePath(clientId, pkce, requested === undefined ? {} : { scope: requested });
  const { searchParams } = await obtainCode(openBrowser(baseUrl), path, { key, scope });
  const { body } = await requestTokens(baseUrl, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: searchParams.get('code') ?? '',
    code_verifier: pkce.verifier,
    redirect_uri: REDIRECT_URI,
  });
  return { ...body, clientId };
}
