// Source credentials: the five ways to authenticate to an origin, the fields of each, their valid values, and what is sent.
import type { FieldError } from './errors.ts';

export const AUTH_TYPES = ['none', 'basic', 'bearer', 'api_key_header', 'api_key_query'] as const;

export type AuthType = (typeof AUTH_TYPES)[number];

interface FieldRule {
  pattern: string;
  maxLength: number;
  /** Completes the sentence "must be …". */
  description: string;
}

const SECRET_LENGTH = 4_096;
const NAME_LENGTH = 200;

/** No control characters and no lone surrogates, so that a value cannot end a header or a line. */
const PRINTABLE = '[^\\p{Cc}\\p{Cs}]';

export const AUTH_FIELDS = {
  authUsername: {
    // RFC 7617: the first colon ends the user name.
    pattern: '^[^:\\p{Cc}\\p{Cs}]*$',
    maxLength: NAME_LENGTH,
    description: 'a user name without colons and control characters',
  },
  authPassword: {
    pattern: `^${PRINTABLE}*$`,
    maxLength: SECRET_LENGTH,
    description: 'a password without control characters',
  },
  authToken: {
    pattern: '^[\\x21-\\x7e]+$',
    maxLength: SECRET_LENGTH,
    description: 'a token of visible ASCII characters',
  },
  authHeaderName: {
    // RFC 9110, section 5.6.2.
    pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
    maxLength: NAME_LENGTH,
    description: 'the name of a header, such as X-Api-Key',
  },
  authHeaderValue: {
    pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
    maxLength: SECRET_LENGTH,
    description: 'the value of a header: visible ASCII characters, with spaces only between them',
  },
  authQueryParam: {
    pattern: `^${PRINTABLE}+$`,
    maxLength: NAME_LENGTH,
    description: 'the name of a query parameter, not encoded',
  },
  authQueryValue: {
    pattern: `^${PRINTABLE}+$`,
    maxLength: SECRET_LENGTH,
    description: 'the value of a query parameter, not encoded',
  },
} as const satisfies Record<string, FieldRule>;

export type AuthField = keyof typeof AUTH_FIELDS;

/** The fields of one type. All of them are secret. */
export type AuthFields = Readonly<Partial<Record<AuthField, string>>>;

export type GivenAuth = AuthFields & { authType?: AuthType };

const FIELDS_OF: Readonly<Record<AuthType, readonly AuthField[]>> = {
  none: [],
  basic: ['authUsername', 'authPassword'],
  bearer: ['authToken'],
  api_key_header: ['authHeaderName', 'authHeaderValue'],
  api_key_query: ['authQueryParam', 'authQueryValue'],
};

const ALL_FIELDS = Object.keys(AUTH_FIELDS) as AuthField[];

/** Picks the credential fields out of other settings. */
export function authFieldsOf(given: AuthFields): AuthFields {
  return Object.fromEntries(
    ALL_FIELDS.flatMap((field) => {
      const value = given[field];
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

/** Validates the fields: exactly those of the type must be given. The messages contain no values. */
export function authFaults(given: GivenAuth): FieldError[] {
  const { authType } = given;
  const there = ALL_FIELDS.filter((field) => given[field] !== undefined);
  if (authType === undefined) {
    if (there.length === 0) return [];
    return [{ pointer: '/authType', code: 'required', detail: `is required with ${there.join(', ')}` }];
  }
  const wanted = FIELDS_OF[authType];
  return [
    ...wanted
      .filter((field) => given[field] === undefined)
      .map((field) => fault(field, 'required', `is required with the authType ${authType}`)),
    ...there
      .filter((field) => !wanted.includes(field))
      .map((field) => fault(field, 'invalid_value', `does not go with the authType ${authType}`)),
    ...valueFaults(given),
  ];
}

/** Rules beyond the schema of a single field. The API checks the patterns in AUTH_FIELDS. */
function valueFaults({ authType, authUsername, authPassword, authHeaderName = '' }: GivenAuth): FieldError[] {
  if (authType === 'basic' && authUsername === '' && authPassword === '') {
    return [fault('authUsername', 'invalid_value', 'and authPassword must not both be empty')];
  }
  if (authType === 'api_key_header' && isReservedHeader(authHeaderName)) {
    return [
      fault('authHeaderName', 'invalid_value', 'must not be a header that decides about the request itself'),
    ];
  }
  return [];
}

function fault(field: AuthField, code: string, detail: string): FieldError {
  return { pointer: `/${field}`, code, detail };
}

/**
 * Headers that control the request itself (connection, framing, method, target, conditions), that impersonate another caller,
 * or that unlock the metadata services of clouds.
 */
const RESERVED_HEADERS: ReadonlySet<string> = new Set(
  `host connection keep-alive te trailer transfer-encoding upgrade http2-settings expect via max-forwards date
   content-length content-type content-encoding accept accept-encoding accept-charset user-agent range if-range
   if-match if-none-match if-modified-since if-unmodified-since cache-control pragma origin referer
   forwarded x-real-ip x-client-ip x-cluster-client-ip x-original-forwarded-for true-client-ip cf-connecting-ip
   fastly-client-ip x-host x-original-host x-original-url x-rewrite-url
   x-http-method x-http-method-override x-method-override
   metadata metadata-flavor x-google-metadata-request x-aliyun-ecs-metadata-token`.split(/\s+/),
);

const RESERVED_PREFIXES = ['proxy-', 'x-forwarded-', 'x-aws-ec2-metadata-', 'sec-', 'access-control-'];

export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED_HEADERS.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** scheme://host:port that the credentials of a record with this URL may be sent to. */
export const originOf = (url: string): string => new URL(url).origin;

/** Sent only to the record's own origin (scheme, host and port). */
export interface CredentialsToSend {
  headers?: Readonly<Record<string, string>>;
  query?: { name: string; value: string };
}

/** @throws Error a field of the type is missing; the message contains no values */
export function credentialsToSend(type: Exclude<AuthType, 'none'>, fields: AuthFields): CredentialsToSend {
  const read = (field: AuthField): string => {
    const value = fields[field];
    if (typeof value !== 'string') throw new Error(`The credentials lack ${field}`);
    return value;
  };
  const build: Record<typeof type, () => CredentialsToSend> = {
    basic: () => authorization(`Basic ${base64(`${read('authUsername')}:${read('authPassword')}`)}`),
    bearer: () => authorization(`Bearer ${read('authToken')}`),
    api_key_header: () => ({ headers: { [read('authHeaderName')]: read('authHeaderValue') } }),
    api_key_query: () => ({ query: { name: read('authQueryParam'), value: read('authQueryValue') } }),
  };
  return build[type]();
}

const authorization = (value: string): CredentialsToSend => ({ headers: { authorization: value } });

/** Base64 of the text in UTF-8 (RFC 7617, section 2.1). */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
