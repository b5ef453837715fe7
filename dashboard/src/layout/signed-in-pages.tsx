// The pages of an account. A visitor who is not signed in goes to the sign-in page, and then comes back.
import { useMemo } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { ApiProvider } from '../client/api-provider.tsx';
import { type Credentials, loginCredentials } from '../client/credentials.ts';
import { isProblem } from '../client/problem.ts';
import { PaletteOnDemand } from './palette-on-demand.tsx';
import { useSignedIn } from './signed-in.tsx';

export function SignedInPages() {
  const { signedIn, ask } = useSignedIn();
  const { pathname, search } = useLocation();
  if (signedIn === undefined) return null;
  if (signedIn === null) {
    return <Navigate to={`/sign-in?${new URLSearchParams({ next: pathname + search })}`} replace />;
  }
  // Separates the caches of users: nobody sees what another user has loaded.
  return <PagesOf key={signedIn.user.id} userId={signedIn.user.id} ask={ask} />;
}

function PagesOf({ userId, ask }: { userId: string; ask: () => unknown }) {
  const credentials = useMemo(() => watched(loginCredentials(userId), ask), [userId, ask]);
  return (
    <ApiProvider credentials={credentials}>
      <Outlet />
      <PaletteOnDemand />
    </ApiProvider>
  );
}

/** A session may be ended from elsewhere. If the server refuses, this asks again who is signed in. */
const watched = (credentials: Credentials, ask: () => unknown): Credentials => ({
  bearer: () =>
    credentials.bearer().catch((error: unknown) => {
      if (isProblem(error, 'unauthenticated')) ask();
      throw error;
    }),
  forget: () => {
    credentials.forget();
    ask();
  },
});
