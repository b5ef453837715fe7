// One parameter or header that is not as it must be, where its schema alone cannot say so.
import { ApiError } from '../../core/errors.ts';

/** @param detail says of the parameter what it must be, without its name and a full stop */
export function invalidParameter(pointer: string, detail: string): ApiError {
  return new ApiError('invalid_parameter', `${pointer} ${detail}.`, {
    errors: [{ pointer, code: 'invalid_value', detail }],
  });
}
