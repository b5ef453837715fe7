// What people send to sign in, held to its schema.
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ApiError } from '../../core/errors.ts';
import { toFieldErrors } from '../http/field-errors.ts';
import { PASSWORD_LENGTH } from './passwords.ts';

/** @returns a reader of bodies @throws ApiError (that reader) validation_failed */
export function bodyReader<P extends TProperties>(properties: P): (body: unknown) => Static<TObject<P>> {
  const schema = Type.Object(properties, { additionalProperties: false });
  const validator = Compile(schema);
  return (body) => {
    const given = body ?? {};
    if (validator.Check(given)) return given;
    const errors = toFieldErrors(validator.Errors(given), schema, 'field', []);
    const [first] = errors;
    throw new ApiError('validation_failed', `${first?.pointer || 'The body'} ${first?.detail}.`, { errors });
  };
}

/** What the library takes for one; mail servers take more, of which people have none. */
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

/** One that there is, whatever the rules were when it was made. */
export const passwordField = Type.String({
  minLength: 1,
  maxLength: PASSWORD_LENGTH.max,
  description: 'a password',
});

export const tokenField = Type.String({ pattern: '^[\\w-]{1,200}$', description: 'the token of a link' });
