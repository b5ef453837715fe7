// Forgets the stored key. It stays valid: only its owner can revoke it.
import { answer, type AnswerOptions } from '../output/answers.ts';
import { removeCredentials } from './credentials.ts';

export async function logout(options: AnswerOptions): Promise<void> {
  const wasLoggedIn = removeCredentials();
  await answer(options, { wasLoggedIn }, () =>
    wasLoggedIn
      ? 'Logged out. The key is deleted here, and still valid: revoke it if nobody needs it.'
      : 'You were not logged in.',
  );
}
