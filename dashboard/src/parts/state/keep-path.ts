// Where to keep an anonymous record for good.
import type { SignedIn } from '../../client/auth.ts';

/** A visitor without an account signs up first, and returns to keep it. @param signedIn null: nobody */
export const keepPath = (signedIn: SignedIn | null | undefined): string =>
  signedIn === null ? `/sign-up?${new URLSearchParams({ next: '/keep' })}` : '/keep';
