// Texts of an origin that contain its credentials, in any form.
import { describe, expect, it } from 'vitest';
import { echoTest, hostEchoTest } from '../../core/credential-echo.ts';
import { credentialsToSend } from '../../core/source-credentials.ts';
import { shorten } from '../../core/delta/warnings.ts';

const SECRET = 'P@ss/wörd  + 1_a\\b%41';
const TOKEN = 'tok-EN.Abc_123/xyz+9==';
const basic = credentialsToSend('basic', { authUsername: 'surveyor', authPassword: SECRET });
const bearer = credentialsToSend('bearer', { authToken: TOKEN });
const header = credentialsToSend('api_key_header', { authHeaderName: 'x-key', authHeaderValue: TOKEN });
const query = credentialsToSend('api_key_query', { authQueryParam: 'key', authQueryValue: SECRET });
const everyByte = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const pair = Buffer.from(`surveyor:${SECRET}`).toString('base64');

const NAMED: Readonly<Record<string, string>> = {
  '+': '&plus;',
  _: '&lowbar;',
  '.': '&period;',
  '%': '&percnt;',
  '@': '&commat;',
  '/': '&sol;',
  '=': '&equals;',
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');

const FORMS: [string, (secret: string) => string][] = [
  ['itself', (secret) => secret],
  ['upper case', (secret) => secret.toUpperCase()],
  ['lower case', (secret) => secret.toLowerCase()],
  ['percent encoding', encodeURIComponent],
  ['percent encoding in lower case', (secret) => encodeURIComponent(secret).toLowerCase()],
  ['percent encoding of every byte', everyByte],
  ['percent encoding twice', (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ['a form field', (secret) => new URLSearchParams({ a: secret }).toString().slice(2)],
  ['a JSON text', (secret) => JSON.stringify(secret)],
  [
    'escaped JSON',
    (secret) =>
      JSON.stringify(secret).replaceAll(
        /[^\w"\\]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
  ],
  ['HTML', (secret) => secret.replaceAll(/\W/g, (sign) => `&#${sign.charCodeAt(0)};`)],
  ['XML', (secret) => secret.replaceAll(/\W/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`)],
  [
    'names of HTML in upper case',
    (secret) => secret.replaceAll('@', '&commat;').replaceAll('+', '&plus;').toUpperCase(),
  ],
  ['names of HTML', (secret) => secret.replaceAll(/[+_.%@/=]/g, (sign) => NAMED[sign] ?? sign)],
  [
    'JavaScript',
    (secret) => secret.replaceAll(/\W/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`),
  ],
  [
    'JavaScript with braces',
    (secret) => secret.replaceAll(/\W/g, (sign) => `\\u{${sign.charCodeAt(0).toString(16)}}`),
  ],
  ['wrapped lines', (secret) => secret.replaceAll(' ', '\n\t')],
  ['a part of an escape', (secret) => `%4${secret}`],
  ['a shortened name', (secret) => shorten(`${'x'.repeat(90)}${secret.repeat(3)}`)],
  ['base64', base64],
  ['base64 without padding', (secret) => base64(secret).replace(/=+$/, '')],
  ['base64 for URLs', (secret) => Buffer.from(secret).toString('base64url')],
  ['base64 in percent encoding', (secret) => `/p/${encodeURIComponent(base64(secret))}/x`],
  ['base64 in lines', (secret) => base64(secret).replaceAll(/.{5}/g, '$&\r\n')],
  ['base64 that is shortened', (secret) => shorten(`${'x'.repeat(90)}${base64(secret).repeat(3)}`)],
  ...['', '{', '{"'].map((before): [string, (secret: string) => string] => [
    `a part of base64 after ${before.length} bytes`,
    (secret) => base64(`${before}${secret}"}`),
  ]),
  ['hex', hex],
  ['hex in upper case', (secret) => hex(secret).toUpperCase()],
  ['hex in pairs', (secret) => hex(secret).replaceAll(/..(?=.)/g, '$&:')],
  ['separate characters', (secret) => Array.from(secret).join('\u200B')],
  ['two halves', (secret) => `${secret.slice(0, 5)}.${secret.slice(5)}`],
];

describe.each([
  ['basic', basic, SECRET],
  ['basic, the user name', basic, 'surveyor'],
  ['basic, the pair', basic, `surveyor:${SECRET}`],
  ['basic, base64', basic, pair],
  ['basic, base64 for URLs', basic, Buffer.from(`surveyor:${SECRET}`).toString('base64url')],
  ['bearer', bearer, TOKEN],
  ['bearer, without padding', bearer, TOKEN.replace(/=+$/, '')],
  ['api_key_header', header, TOKEN],
  ['api_key_query', query, SECRET],
] as const)('%s', (_name, shown, secret) => {
  it.each(FORMS)('regression: is recognized as %s', (_form, write) => {
    expect(echoTest(shown)(`It is row 2, column “a ${write(secret)} b”.`)).toBe(true);
  });
});

it.each([
  ['other text', 'It is row 2, column “price”.'],
  ['other base64', base64('surveyed:else')],
  ['other hex', hex('surveyed')],
  ['a stray percent sign', '100% of %zz and %4'],
  ['a shortened name', shorten('y'.repeat(200))],
])('%s is no credential', (_name, text) => {
  for (const shown of [basic, bearer, header, query, {}]) expect(echoTest(shown)(text)).toBe(false);
});

it('does not take words for the name of a parameter', () => {
  const isEcho = echoTest({ query: { name: 'api_key', value: TOKEN } });
  expect(isEcho('Your API key has expired.')).toBe(false);
  expect(isEcho('No api_key was sent.')).toBe(true);
});

it('finds short values and long names, but neither in names of hosts', () => {
  const short = { query: { name: 'access_key', value: 'ab' } };
  for (const text of ['cab', 'see access%5Fkey']) {
    expect(echoTest(short)(text)).toBe(true);
    expect(hostEchoTest(short)(text)).toBe(false);
  }
  expect(hostEchoTest(basic)('surveyor.example.com')).toBe(false);
  expect(hostEchoTest(bearer)(`${TOKEN}.example.com`.toLowerCase())).toBe(true);
});
