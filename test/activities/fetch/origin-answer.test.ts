// What readers see of an origin's answer: enough to recognize it, and nothing secret.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { BodyStart } from '../../../activities/fetch/body-start.ts';
import { fetchBody } from '../../../activities/fetch/fetch-body.ts';
import { FetchFailure } from '../../../activities/fetch/fetch-failure.ts';
import { originAnswer } from '../../../activities/fetch/origin-answer.ts';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import type { CredentialsToSend } from '../../../core/source-credentials.ts';
import { type OriginBehaviour, startOrigin } from '../../support/servers/origin-server.ts';

const SECRET = 'tok&en/Abc_123456';
const BEARER: CredentialsToSend = { headers: { authorization: `Bearer ${SECRET}` } };
const URL_ASKED = 'https://example.com/data.csv?page=2';

interface Said {
  body?: string | Uint8Array;
  contentType?: string;
  finalUrl?: string;
  credentials?: CredentialsToSend;
}

function answer({ body = '', contentType, finalUrl = URL_ASKED, credentials = {} }: Said) {
  const start = new BodyStart();
  // As it comes from the network, in pieces.
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += 100) start.add(bytes.subarray(at, at + 100));
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  return originAnswer({ finalUrl, headers, start }, { url: URL_ASKED, credentials });
}

it('shows the URL, the media type and the first characters in one line', () => {
  const body = `<!doctype html>\r\n\t<title>Sign in</title>\n${'x'.repeat(5_000)}`;
  const { url, contentType, beginning } = answer({ body, contentType: 'Text/HTML; charset=UTF-8; a="b"' });
  expect([url, contentType]).toEqual([URL_ASKED, 'text/html']);
  expect(beginning).toMatch(/^<!doctype html> <title>Sign in<\/title> x{100,}…$/);
  expect(Array.from(beginning ?? '')).toHaveLength(200);
  expect(answer({ body: '  Back soon.\n' })).toEqual({
    url: URL_ASKED,
    contentType: null,
    beginning: 'Back soon.',
  });
});

it('reads the charset that the origin names, or a byte order mark', () => {
  expect(
    answer({ body: Buffer.from('caf\u00e9', 'latin1'), contentType: 'text/csv; charset=latin1' }).beginning,
  ).toBe('café');
  expect(answer({ body: Buffer.from('\ufeffcafé', 'utf16le') }).beginning).toBe('café');
  for (const charset of ['klingon', 'iso-2022-kr']) {
    expect(answer({ body: 'café', contentType: `text/csv; charset=${charset}` }).beginning).toBe('café');
  }
});

it('cuts no character, and replaces those that cannot be seen', () => {
  expect(answer({ body: '😀'.repeat(400) }).beginning).toBe(`${'😀'.repeat(199)}…`);
  expect(answer({ body: 'a quite long text \u202egnp.exe\u0000 in one line' }).beginning).toBe(
    'a quite long text \ufffdgnp.exe\ufffd in one line',
  );
});

it.each([
  ['an empty body', ''],
  ['white space', ' \n '],
  ['a picture', Uint8Array.from({ length: 500 }, (_, at) => (at * 7) % 256)],
])('shows no text of %s', (_name, body) => {
  expect(answer({ body }).beginning).toBeNull();
});

it.each(['', 'text', 'text/', 'text/html/x', 'a b/c', `text/${'x'.repeat(101)}`, 'text/html x'])(
  'shows no media type of %j',
  (contentType) => {
    expect(answer({ contentType }).contentType).toBeNull();
  },
);

it.each([
  ['itself', SECRET],
  ['escaped for HTML', SECRET.replace('&', '&amp;')],
  ['escaped for JSON', SECRET.replace('&', String.raw`\u0026`)],
  ['after a line end', `bad key\n${SECRET}`],
  ['after what is shown', `${'x'.repeat(600)} ${SECRET}`],
  ['cut where the shown text ends', `${'x'.repeat(190)}${SECRET}`],
  ['cut where the read text ends', `${'x '.repeat(508)}${SECRET}`],
])('shows no text that has the credential: %s', (_name, body) => {
  expect(answer({ body, credentials: BEARER }).beginning).toBeNull();
  expect(answer({ body }).beginning).not.toBeNull();
});

it('shows no URL and no media type that has the credential', () => {
  const credentials: CredentialsToSend = { headers: { 'x-key': 'abcdef' } };
  const said = { finalUrl: 'https://example.com/sign-in/abcdef', contentType: 'text/abcdef' };
  expect(answer({ ...said, credentials })).toMatchObject({ url: null, contentType: null });
  expect(answer(said)).toMatchObject({ url: said.finalUrl, contentType: 'text/abcdef' });
});

it('shows a query only if the record has it, and no text with a value of another one', () => {
  const finalUrl = 'https://login.example.com/in?state=s3cr3t%2Fs1gn&page=2';
  expect(answer({ finalUrl, body: 'Page 2 of the sign-in' })).toEqual({
    url: 'https://login.example.com/in',
    contentType: null,
    beginning: 'Page 2 of the sign-in',
  });
  expect(answer({ finalUrl, body: 'Expired: s3cr3t/s1gn' }).beginning).toBeNull();
  const moved = answer({ finalUrl: 'https://new.example.com/data.csv?page=2', body: 'page=2' });
  expect(moved).toMatchObject({ url: 'https://new.example.com/data.csv?page=2', beginning: 'page=2' });
});

it('is read of an error status, also compressed or cut off, and gets into no log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'origin-answer-'));
  const origin = await startOrigin();
  onTestFinished(async () => {
    await origin.close();
    await rm(folder, { recursive: true });
  });
  const failing = async (behaviour: OriginBehaviour): Promise<FetchFailure> => {
    origin.set('/feed', behaviour);
    const fetching = fetchBody({
      url: `${origin.url}/feed`,
      guard: { allowed: parseAllowedNetworks(['127.0.0.1']), resolve: () => Promise.resolve(['127.0.0.1']) },
      userAgent: 'test',
      folder,
      maxBytes: 1_000_000,
    });
    const error: unknown = await fetching.catch((reason: unknown) => reason);
    if (!(error instanceof FetchFailure)) throw new Error('The fetch did not fail');
    return error;
  };
  const body = '<title>Back soon</title>';
  const page = { status: 503, headers: { 'content-type': 'text/html' }, body };
  const whole = { url: `${origin.url}/feed`, contentType: 'text/html', beginning: body };
  const failure = await failing(page);
  expect(failure.answer).toEqual(whole);
  expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('Back soon');
  expect((await failing({ ...page, encoding: 'gzip' })).answer).toEqual(whole);
  // So long that it is read before its end is missing.
  const torn = {
    body: body + randomBytes(100_000).toString('hex'),
    encoding: 'gzip',
    endAfterBytes: 60_000,
  } as const;
  expect((await failing({ ...page, ...torn })).answer?.beginning).toContain(body);
  const brotli = { 'content-encoding': 'br' };
  expect((await failing({ ...page, headers: brotli })).answer).toMatchObject({ beginning: null });
  const good = await failing(torn);
  expect(good).toMatchObject({ code: 'body_truncated', httpStatus: 200 });
  expect(good.answer?.beginning).toContain(body);
  expect((await failing({ reset: true })).answer).toBeNull();
});
