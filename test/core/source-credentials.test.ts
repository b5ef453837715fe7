// Source credentials without I/O: valid combinations, refused headers, and the headers and parameters that are sent.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AUTH_FIELDS,
  AUTH_TYPES,
  authFaults,
  type AuthField,
  type AuthType,
  credentialsToSend,
  isReservedHeader,
  originOf,
} from '../../core/source-credentials.ts';

const COMPLETE: Record<AuthType, Partial<Record<AuthField, string>>> = {
  none: {},
  basic: { authUsername: 'user', authPassword: 'pass' },
  bearer: { authToken: 'token' },
  api_key_header: { authHeaderName: 'X-Api-Key', authHeaderValue: 'value' },
  api_key_query: { authQueryParam: 'key', authQueryValue: 'value' },
};
const FIELDS = Object.keys(AUTH_FIELDS) as AuthField[];

const accepts = (field: AuthField, text: string): boolean =>
  new RegExp(AUTH_FIELDS[field].pattern, 'u').test(text);

describe('interface 2.4: authType and its fields', () => {
  it('match: each type requires exactly its own fields', () => {
    for (const authType of AUTH_TYPES) {
      const own = COMPLETE[authType];
      expect(authFaults({ authType, ...own })).toEqual([]);
      for (const field of FIELDS) {
        const { [field]: taken, ...rest } = own;
        const [given, code] =
          taken === undefined ? [{ ...own, [field]: 'x' }, 'invalid_value'] : [rest, 'required'];
        expect(authFaults({ authType, ...given })).toMatchObject([{ pointer: `/${field}`, code }]);
      }
    }
  });

  it('require the type', () => {
    expect(authFaults({})).toEqual([]);
    expect(authFaults({ authToken: 'secret' })).toMatchObject([{ pointer: '/authType', code: 'required' }]);
  });

  it('require a user name or a password', () => {
    expect(authFaults({ authType: 'basic', authUsername: '', authPassword: '' })).toHaveLength(1);
    expect(authFaults({ authType: 'basic', authUsername: 'key', authPassword: '' })).toEqual([]);
    expect(authFaults({ authType: 'basic', authUsername: '', authPassword: 'key' })).toEqual([]);
  });

  it('are never quoted in errors', () => {
    const texts = FIELDS.map((field) => authFaults({ authType: 'none', [field]: 'a secret of mine' }));
    expect(JSON.stringify(texts)).not.toContain('a secret of mine');
  });
});

describe('values', () => {
  it.each(FIELDS)('of %s contain no line ends and no NUL, at any position', (field) => {
    const [bad] = [fc.constantFrom('\r', '\n', '\0', '\r\n', '\u0085', '\ud800')];
    fc.assert(
      fc.property(fc.string(), bad, fc.string(), (before, char, after) => {
        expect(accepts(field, before + char + after)).toBe(false);
      }),
    );
  });

  it.each<[AuthField, string, boolean]>([
    ['authUsername', 'a:b', false],
    ['authUsername', 'José', true],
    ['authPassword', 'with spaces: and ünïcode', true],
    ['authPassword', '', true],
    ['authToken', 'eyJ.abc-_~+/=|x', true],
    ['authToken', 'two words', false],
    ['authToken', '', false],
    ['authHeaderName', 'X-Api-Key', true],
    ['authHeaderName', 'X Api Key', false],
    ['authHeaderName', 'X-Api-Key:', false],
    ['authHeaderName', '', false],
    ['authHeaderValue', 'Token abc', true],
    ['authHeaderValue', ' abc', false],
    ['authHeaderValue', 'abc ', false],
    ['authHeaderValue', 'ü', false],
    ['authQueryParam', 'api key&x=', true],
    ['authQueryValue', 'ü#&=', true],
    ['authQueryValue', '', false],
  ])('%s accepts %j: %s', (field, text, isAccepted) => {
    expect(accepts(field, text)).toBe(isAccepted);
  });
});

describe('header names', () => {
  it.each(
    `Host CONTENT-LENGTH transfer-encoding Connection Upgrade TE Trailer Expect Keep-Alive Proxy-Authorization
     X-Original-URL x-rewrite-url X-Original-Host CF-Connecting-IP X-Client-IP X-Cluster-Client-Ip
     proxy-anything Forwarded X-Forwarded-For Metadata Metadata-Flavor X-aws-ec2-metadata-token
     X-AWS-EC2-Metadata-Token-TTL-Seconds Accept-Encoding User-Agent If-None-Match If-Modified-Since Range Accept
     X-HTTP-Method-Override Sec-Fetch-Site`.split(/\s+/),
  )('%s would control the request, so it is refused', (authHeaderName) => {
    expect(isReservedHeader(authHeaderName)).toBe(true);
    const faults = authFaults({ authType: 'api_key_header', authHeaderName, authHeaderValue: 'v' });
    expect(faults).toMatchObject([{ pointer: '/authHeaderName', code: 'invalid_value' }]);
  });

  it.each(['X-Api-Key', 'Authorization', 'Cookie', 'apikey', 'Private-Token', 'X-Forwarding'])(
    '%s is the origin’s own',
    (name) => {
      expect(isReservedHeader(name)).toBe(false);
    },
  );
});

describe('the sent credential', () => {
  it('is the header or the parameter of the type', () => {
    expect(credentialsToSend('basic', { authUsername: 'Aladdin', authPassword: 'open sesame' })).toEqual({
      headers: { authorization: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==' },
    });
    expect(credentialsToSend('bearer', { authToken: 't' })).toEqual({
      headers: { authorization: 'Bearer t' },
    });
    expect(credentialsToSend('api_key_header', COMPLETE.api_key_header)).toEqual({
      headers: { 'X-Api-Key': 'value' },
    });
    expect(credentialsToSend('api_key_query', COMPLETE.api_key_query)).toEqual({
      query: { name: 'key', value: 'value' },
    });
  });

  it('encodes user name and password in UTF-8, so that any server can decode them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (user, authPassword) => {
        const authUsername = user.replaceAll(':', '');
        const { headers } = credentialsToSend('basic', { authUsername, authPassword });
        const encoded = headers?.['authorization']?.slice('Basic '.length) ?? '';
        expect(Buffer.from(encoded, 'base64').toString()).toBe(`${authUsername}:${authPassword}`);
      }),
    );
  });

  it('is absent when a field is missing, and the error shows no value', () => {
    expect(() => credentialsToSend('basic', { authUsername: 'hidden' })).toThrow(/^(?!.*hidden)/);
  });

  it('is for one origin: scheme, host and port', () => {
    expect(originOf('https://Example.com:443/a?b#c')).toBe('https://example.com');
    const origins = [
      'http://example.com/',
      'https://example.com/',
      'https://example.com:8443/',
      'https://example.org/',
    ];
    expect(new Set(origins.map(originOf)).size).toBe(4);
  });
});
