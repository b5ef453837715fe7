// Calls the API and keeps every answer, except for values that are shown once on purpose.
import { connect } from 'node:net';
import { OPERATIONS } from '../../../api/operations.ts';
import { requireAsDeclared } from './answers-of-processes.ts';

export interface Sent {
  /** The credential; null sends none. */
  key: string | null;
  body?: unknown;
  /** Sent as it is, in place of `body`. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
  /** Members of the answer that hold a secret. */
  shows?: readonly string[];
}

export interface Collected {
  status: number;
  // Tests read answers untyped.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface CollectingCaller {
  call: (method: string, path: string, sent: Sent) => Promise<Collected>;
  /** Sends bytes, which need not be a valid request. */
  sendBytes: (bytes: string) => Promise<void>;
  /** Statuses, headers and bodies. */
  answers: string[];
  /** Contents of downloaded files. */
  files: string[];
  /** The values that `shows` kept out of the answers. */
  shown: string[];
  /** Names of the operations that succeeded at least once. */
  succeeded: Set<string>;
}

export function createCaller(baseUrl: string): CollectingCaller {
  const caller: CollectingCaller = {
    answers: [],
    files: [],
    shown: [],
    succeeded: new Set(),
    call: (method, path, sent) => call(caller, baseUrl, method, path, sent),
    sendBytes: async (bytes) => void caller.answers.push(await exchange(baseUrl, bytes)),
  };
  return caller;
}

async function call(
  caller: CollectingCaller,
  baseUrl: string,
  method: string,
  path: string,
  { key, body, raw, headers = {}, shows = [] }: Sent,
): Promise<Collected> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(baseUrl + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  });
  const text = await response.text();
  requireAsDeclared(method, baseUrl + path, response, text);
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '') && text !== '';
  const answer = isJson ? JSON.parse(text) : undefined;
  caller.shown.push(...shows.flatMap((name) => answer?.[name] ?? []));
  const rest = isJson ? JSON.stringify(answer, (name, value) => (shows.includes(name) ? '' : value)) : text;
  caller.answers.push(`${response.status} ${JSON.stringify([...response.headers])}\n${rest}`);
  if (response.headers.has('content-disposition')) caller.files.push(text);
  if (response.ok) noteSuccess(caller, method, path);
  return { status: response.status, body: answer };
}

function noteSuccess({ succeeded }: CollectingCaller, method: string, path: string): void {
  const [bare = ''] = path.split('?');
  const fits = (pattern: string): boolean =>
    new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(bare);
  // `…/self` and `…/latest` also fit the patterns with a parameter in their place.
  const [best] = OPERATIONS.filter(({ http }) => http.method === method && fits(http.path)).toSorted(
    (a, b) => a.http.path.split(':').length - b.http.path.split(':').length,
  );
  if (best !== undefined) succeeded.add(best.name);
}

function exchange(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
}
