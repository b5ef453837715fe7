// Requests of the sign-in pages: only from our own pages, and with bodies that match their schema.
import type { FastifyRequest } from 'fastify';
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ApiError } from '../../core/errors.ts';
import { clipped, toFieldErrors } from '../http/field-errors.ts';
import { PASSWORD_LENGTH } from './passwords.ts';

/**
 * For requests that change something.
 * @throws ApiError bad_request for other sites, unsupported_media_type for content types that an HTML form can send
 */
export function requireSamePage({ method, headers }: FastifyRequest, baseUrl: string): void {
  const { origin, 'sec-fetch-site': site, 'content-type': type } = headers;
  // Browsers send Sec-Fetch-Site, except over plain HTTP and in very old versions; these send Origin.
  const isOurs = site === undefined ? origin === new URL(baseUrl).origin : site === 'same-origin';
  if (!isOurs) throw new ApiError('bad_request', 'Only pages of the dashboard may send this request.');
  const isJson = /^application\/json\s*(;|$)/i.test(type ?? '');
  if (isJson || (method === 'DELETE' && type === undefined)) return;
  throw new ApiError('unsupported_media_type', 'Send JSON with the header Content-Type: application/json.');
}

/**
 * @returns reads a body
 * @throws ApiError (that function) validation_failed
 */
export function bodyReader<P extends TProperties>(properties: P): (body: unknown) => Static<TObject<P>> {
  const schema = Type.Object(properties, { additionalProperties: false });
  const validator = Compile(schema);
  return (body) => {
    const given = body ?? {};
    if (validator.Check(given)) return given;
    const errors = toFieldErrors(validator.Errors(clipped(given)), schema, 'field', []);
    const [first] = errors;
    throw new ApiError('validation_failed', `${first?.pointer || 'The body'} ${first?.detail}.`, { errors });
  };
}

/** The library's syntax. Mail servers accept more, which nobody uses. */
const EMAIL =
  "^(?!\\.)(?!.*\\.\\.)[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$";

export const emailField = Type.String({
  maxLength: 254,
  pattern: EMAIL,
  description: 'an email address such as ada@example.com',
});

export const newPasswordField = Type.String({
  minLength: PASSWORD_LENGTH.min,
  maxLength: PASSWORD_LENGTH.max,
  pattern: '^[^\\p{Cs}]*$',
  description: `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters`,
});

/** An existing password, whatever the rules were when it was set. */
export const passwordField = Type.String({
  minLength: 1,
  maxLength: PASSWORD_LENGTH.max,
  description: 'a password',
});

export const tokenField = Type.String({ pattern: '^[\\w-]{1,200}$', description: 'the token of a link' });
