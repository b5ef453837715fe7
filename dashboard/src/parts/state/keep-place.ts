// Where an anonymous record is kept for good.
import type { SignedIn } from '../../client/auth.ts';

/** Whoever is new signs up, and comes back to keep it. @param signedIn null: nobody */
export const keepPlace = (signedIn: SignedIn | null | undefined): string =>
  signedIn === null ? `/sign-up?${new URLSearchParams({ next: '/keep' })}` : '/keep';
