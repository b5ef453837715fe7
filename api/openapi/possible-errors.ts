// The errors of an operation: those that follow from its declaration, and those that it declares.
import { API_ERRORS, type ApiErrorCode } from '../../core/errors.ts';
import type { Operation } from '../contract/operation.ts';

interface Rule {
  applies: (operation: Operation) => boolean;
  codes: readonly ApiErrorCode[];
}

/** Whether the server reads the request's body. */
const takesBody = ({ http }: Operation): boolean => http.method !== 'GET';

/** Whether it supports Idempotency-Key (api/http/idempotency.ts). */
export const isRepeatable = ({ http, scope }: Operation): boolean =>
  http.method === 'POST' && scope === 'full';

/** Whether its response has an entity tag, so that it can be 304 (api/http/send-answer.ts). */
export const isConditional = ({ http, secrets }: Operation): boolean =>
  http.method === 'GET' && secrets === undefined;

const RULES: readonly Rule[] = [
  {
    applies: () => true,
    codes: [
      'invalid_parameter',
      'host_not_allowed',
      'rate_limited',
      'headers_too_large',
      'internal',
      'unavailable',
    ],
  },
  { applies: ({ scope }) => scope !== 'public', codes: ['unauthenticated', 'insufficient_scope'] },
  { applies: ({ lock }) => lock !== undefined, codes: ['plan_required'] },
  { applies: ({ params }) => Object.keys(params.properties).length > 0, codes: ['not_found'] },
  { applies: ({ query }) => 'cursor' in query.properties, codes: ['invalid_cursor'] },
  {
    applies: takesBody,
    codes: [
      'malformed_json',
      'request_timeout',
      'body_too_large',
      'unsupported_media_type',
      'validation_failed',
    ],
  },
  { applies: isRepeatable, codes: ['idempotency_in_progress', 'idempotency_key_reused'] },
];

/** By status, in the order of API_ERRORS. */
export function possibleErrors(operation: Operation): Map<number, ApiErrorCode[]> {
  const codes = new Set(operation.errors);
  for (const rule of RULES) if (rule.applies(operation)) for (const code of rule.codes) codes.add(code);
  const inOrder = (Object.keys(API_ERRORS) as ApiErrorCode[]).filter((code) => codes.has(code));
  return Map.groupBy(inOrder, (code) => API_ERRORS[code].status);
}
