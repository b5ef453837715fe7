// Confirms the identity of a signed-in user before an irreversible step: by their password, or by a recent sign-in.
import type { ApiError } from '../../core/errors.ts';
import { confirmLogin, isLoginRecent, RECENT_LOGIN_MINUTES } from '../../db/access/login-sessions.ts';
import { findPasswordHash } from '../../db/access/users.ts';
import { invalidField } from '../contract/errors.ts';
import type { AuthContext } from './auth-context.ts';
import { countFailedProof } from './limits.ts';
import type { Login } from './logins.ts';
import type { Passwords } from './passwords.ts';

/** @throws ApiError validation_failed at /currentPassword, or rate_limited */
export async function confirmPerson(
  { services: { db, config }, passwords }: AuthContext,
  { user, session }: Login,
  address: string,
  currentPassword: string | undefined,
): Promise<void> {
  const hash = await findPasswordHash(db, user.id);
  if (hash === undefined) {
    if (await isLoginRecent(db, session.id)) return;
    throw invalidField(
      '/currentPassword',
      'required',
      `is required: set a password first, or sign in again and return within ${RECENT_LOGIN_MINUTES} minutes.`,
    );
  }
  if (currentPassword === undefined) throw presentPasswordMissing();
  const attempt = { what: 'password', address, subject: user.id } as const;
  await countFailedProof(db, config.rateLimitFactor, attempt, () =>
    requirePassword(passwords, hash, currentPassword),
  );
  await confirmLogin(db, session.id);
}

/** @throws ApiError validation_failed at /currentPassword */
export async function requirePassword(passwords: Passwords, hash: string, password?: string): Promise<void> {
  if (password === undefined) throw presentPasswordMissing();
  if (!(await passwords.verify({ hash, password }))) throw wrongPassword();
}

export const presentPasswordMissing = (): ApiError =>
  invalidField('/currentPassword', 'required', 'is required.');

export const wrongPassword = (): ApiError =>
  invalidField('/currentPassword', 'invalid_value', 'is not your password.');
