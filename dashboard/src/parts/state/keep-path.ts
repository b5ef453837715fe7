// Where to keep an anonymous record for good.
import type { SignedIn } from '../../client/auth.ts';

/** A visitor without an account signs up first, and returns to keep it. @param signedIn null: nobody @param session its id */
export function keepPath(signedIn: SignedIn | null | undefined, session: string): string {
  const path = `/keep?session=${session}`;
  return signedIn === null ? `/sign-up?${new URLSearchParams({ next: path })}` : path;
}
