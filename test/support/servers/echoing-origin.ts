// An origin that repeats what it received in every possible way: in errors, redirects, headers and broken data.
import { type Origin, type OriginBehaviour, type OriginVisit, startOrigin } from './origin-server.ts';

const echoOf = ({ path, headers }: OriginVisit): string => `${path} ${JSON.stringify(headers)}`;

/** Encodes a text so that a header can hold it. */
const headerEcho = (visit: OriginVisit): string => echoOf(visit).replaceAll(/[^\x20-\x7e]/g, '?');

/** The parts of the request that an anonymous visitor does not send. */
function shownTo({ path, headers }: OriginVisit): string {
  const own = Object.entries(headers).find(([name]) => /^(x-|authorization$)/.test(name));
  return own?.[1]?.toString() ?? path;
}

/** Paths that fail every check. */
const FAILING: Readonly<Record<string, (visit: OriginVisit, base: string) => OriginBehaviour>> = {
  '/echo-401': (visit) => ({
    status: 401,
    headers: { 'www-authenticate': `Basic realm="${headerEcho(visit)}"`, 'retry-after': headerEcho(visit) },
    body: echoOf(visit),
  }),
  '/echo-500': (visit) => ({ status: 500, headers: { etag: headerEcho(visit) }, body: echoOf(visit) }),
  '/echo-redirect': (visit, base) => ({
    redirectTo: `${base}/gone?seen=${encodeURIComponent(echoOf(visit))}`,
  }),
  '/echo-elsewhere': (visit) => ({ redirectTo: `http://${encodeURIComponent(echoOf(visit))}@10.0.0.1/` }),
  '/echo-no-url': (visit) => ({ redirectTo: `http://[${encodeURIComponent(echoOf(visit))}` }),
  '/echo-encoding': (visit) => ({ headers: { 'content-encoding': headerEcho(visit) }, body: echoOf(visit) }),
  '/echo-page': (visit) => ({
    headers: { 'content-type': 'text/html' },
    body: `<!doctype html><title>${echoOf(visit)}</title>`,
  }),
  '/echo-torn.csv': (visit) => ({ body: `id,name\n1,"${echoOf(visit).replaceAll('"', "'")}` }),
  '/echo-broken.json': (visit) => ({
    headers: { 'content-type': 'application/json' },
    body: `[{"id":1},{"id":${JSON.stringify(echoOf(visit))},]`,
  }),
  '/echo-bytes.csv': (visit) => ({
    body: Buffer.concat([Buffer.from(`id,name\n1,${visit.path}`), Buffer.from([0xff, 0xfe])]),
  }),
  '/echo-nul.csv': (visit) => ({ body: `id,name\n1,${visit.path}\0\n` }),
  '/echo-charset.csv': (visit) => ({
    headers: { 'content-type': `text/csv; charset=${shownTo(visit).replaceAll(/[^\w.:+-]/g, '')}` },
    body: 'id,name\n1,Ann\n',
  }),
  '/echo-long.csv': (visit) => ({
    body: `"${shownTo(visit).replaceAll('"', '""')}",b\n${'x'.repeat(1_100_000)},1\n`,
  }),
  '/echo-long.json': (visit) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ [shownTo(visit)]: 'x'.repeat(1_100_000) }]),
  }),
  '/reset': () => ({ reset: true }),
};

export const FAILING_PATHS = Object.keys(FAILING);

export interface EchoingOrigin extends Origin {
  /** The target of the redirect from /away.csv, which must receive no secret. */
  foreign: Origin;
  /** Sets the body of /good.csv and /echo-headers.csv. */
  setRows: (rows: string) => void;
}

/** Serves data only to requests with credentials: /good.csv, and /echo-headers.csv with the credentials in headers. */
export async function startEchoingOrigin(): Promise<EchoingOrigin> {
  const [origin, foreign] = await Promise.all([startOrigin(), startOrigin()]);
  let body = 'id,price\n1,10\n';
  for (const [path, behave] of Object.entries(FAILING))
    origin.set(path, (visit) => behave(visit, origin.url));
  origin.set('/good.csv', () => ({ body, etag: `"${body.length}"` }));
  origin.set('/echo-headers.csv', (visit) => ({
    body,
    headers: {
      etag: `"${shownTo(visit)}"`,
      'content-type': `text/csv; charset=utf-8; seen=${headerEcho(visit)}`,
      'last-modified': headerEcho(visit),
      'cache-control': headerEcho(visit),
    },
  }));
  origin.set('/away.csv', { redirectTo: `${foreign.url}/landing.csv` });
  foreign.set('/landing.csv', { body: 'id,price\n1,10\n' });
  return {
    ...origin,
    foreign,
    setRows: (rows) => {
      body = rows;
    },
    close: async () => void (await Promise.all([origin.close(), foreign.close()])),
  };
}
