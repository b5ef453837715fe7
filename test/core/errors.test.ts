// Error codes: stable words, and classes that keep the cause from the text.
import { describe, expect, it } from 'vitest';
import { API_ERRORS, ApiError, ATTEMPT_ERRORS, CHECK_ERRORS, CheckError } from '../../core/errors.ts';

describe('error codes', () => {
  it.each([...Object.keys(API_ERRORS), ...Object.keys(CHECK_ERRORS), ...Object.keys(ATTEMPT_ERRORS)])(
    '%s is in lower snake case',
    (code) => {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    },
  );

  it.each(Object.entries(API_ERRORS))(
    'of the API have an error status and a title: %s',
    (_, { status, title }) => {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
      expect(title).toMatch(/^[A-Z].*[^.]$/);
    },
  );

  it.each([...Object.entries(CHECK_ERRORS), ...Object.entries(ATTEMPT_ERRORS)])(
    'of checks and attempts are a sentence: %s',
    (_, sentence) => {
      expect(sentence).toMatch(/^[A-Z].*\.$/);
    },
  );
});

describe('errors', () => {
  it('of the API carry code, text and faulty fields', () => {
    const errors = [{ pointer: '/url', code: 'required', detail: 'is missing' }];
    const error = new ApiError('validation_failed', 'The url is missing.', {
      errors,
      cause: new Error('private'),
    });
    expect(error).toMatchObject({ code: 'validation_failed', message: 'The url is missing.', errors });
    expect(error.message).not.toContain('private');
    expect(new ApiError('not_found', 'No such record.').errors).toEqual([]);
  });

  it('of checks begin with the sentence of their code', () => {
    expect(new CheckError('http_error').message).toBe(CHECK_ERRORS.http_error);
    const cause = new Error('private');
    const error = new CheckError('http_error', 'Status 500.', { cause });
    expect(error).toMatchObject({
      code: 'http_error',
      message: `${CHECK_ERRORS.http_error} Status 500.`,
      cause,
    });
  });
});
