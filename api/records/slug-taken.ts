// Telling a taken slug from other faults of the database.
import { ApiError } from '../../core/errors.ts';

export function isSlugTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'records_slug';
}

export function slugTaken(): ApiError {
  const detail = 'is the slug of another record of this account';
  return new ApiError('conflict', `/slug ${detail}.`, {
    errors: [{ pointer: '/slug', code: 'taken', detail }],
  });
}
