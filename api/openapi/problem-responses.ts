// Problem documents (RFC 9457) in the OpenAPI document.
import { Type } from 'typebox';
import { API_ERRORS, type ApiErrorCode } from '../../core/errors.ts';
import { type HeaderName, headerReferences, RATE_LIMIT_HEADERS } from './headers.ts';
import type { JsonObject, NamedSchemas } from './named-schemas.ts';

const fieldErrorSchema = Type.Object(
  {
    pointer: Type.String({
      description: 'A JSON pointer (RFC 6901) into the body, or the name of a parameter.',
    }),
    code: Type.String({
      description: 'The fault, for programs: `required`, `invalid_type`, `too_long`…',
    }),
    detail: Type.String({ description: 'The fault, for people.' }),
  },
  { title: 'FieldError' },
);

const problemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'A page that explains the code: cause and solution.' }),
    title: Type.String({ description: 'The code in words; always the same for a code.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What happened in this case. For people; the text may change.' }),
    code: Type.Enum(Object.keys(API_ERRORS), { description: 'Stable, for programs.' }),
    requestId: Type.String({ description: 'Also in `X-Request-Id`. Include it when you report a problem.' }),
    upgradeUrl: Type.Optional(
      Type.String({
        format: 'uri',
        description: 'With `plan_required`: a page to get a paid tier, if the operator has set one.',
      }),
    ),
    errors: Type.Optional(
      Type.Array(fieldErrorSchema, { description: 'Every fault that was found in the request.' }),
    ),
  },
  { title: 'Problem', description: 'An error in the form of RFC 9457 (`application/problem+json`).' },
);

export interface ProblemResponses {
  refer: (codes: readonly ApiErrorCode[]) => JsonObject;
  /** All referenced responses so far, by name. */
  all: () => Record<string, JsonObject>;
}

/** @param baseUrl of the pages that explain the codes */
export function nameProblemResponses(schemas: NamedSchemas, baseUrl: string): ProblemResponses {
  const named = new Map<string, JsonObject>();
  return {
    refer(codes) {
      const name = codes.map(pascalCase).join('Or');
      if (!named.has(name)) named.set(name, problemResponse(codes, schemas, baseUrl));
      return { $ref: `#/components/responses/${name}` };
    },
    all: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function problemResponse(codes: readonly ApiErrorCode[], schemas: NamedSchemas, baseUrl: string): JsonObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${API_ERRORS[code].title}.`).join(' '),
    headers: headerReferences(headersOf(codes)),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [schemas.refer(problemSchema), { properties: { code: { enum: codes } } }],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleProblem(code, baseUrl) }])),
      },
    },
  };
}

/** Refused before authentication, or below HTTP. */
const UNCOUNTED: readonly ApiErrorCode[] = [
  'unauthenticated',
  'request_timeout',
  'host_not_allowed',
  'headers_too_large',
];
const RETRIED: readonly ApiErrorCode[] = ['idempotency_in_progress', 'rate_limited', 'unavailable'];

function headersOf(codes: readonly ApiErrorCode[]): HeaderName[] {
  return [
    'X-Request-Id',
    ...(codes.some((code) => UNCOUNTED.includes(code)) ? [] : RATE_LIMIT_HEADERS),
    ...(codes.some((code) => RETRIED.includes(code)) ? (['Retry-After'] as const) : []),
    ...(codes.includes('unauthenticated') ? (['WWW-Authenticate'] as const) : []),
  ];
}

function exampleProblem(code: ApiErrorCode, baseUrl: string): JsonObject {
  const { status, title } = API_ERRORS[code];
  const requestId = '0f4c7b0a-6f0e-4a53-9d0c-9d1f2e3b4c5d';
  return { type: `${baseUrl}/docs/errors#${code}`, title, status, detail: `${title}.`, code, requestId };
}

function pascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
