// The pages of an account: whoever is not signed in is led to do so, and then back.
import { useMemo } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { ApiProvider } from '../client/api-provider.tsx';
import { type Credentials, loginCredentials } from '../client/credentials.ts';
import { isProblem } from '../client/problem.ts';
import { useSignedIn } from './signed-in.tsx';

export function SignedInPages() {
  const { signedIn, ask } = useSignedIn();
  const { pathname, search } = useLocation();
  if (signedIn === undefined) return null;
  if (signedIn === null) {
    return <Navigate to={`/sign-in?${new URLSearchParams({ next: pathname + search })}`} replace />;
  }
  // Nothing that one person has seen is shown to another.
  return <PagesOf key={signedIn.user.id} ask={ask} />;
}

function PagesOf({ ask }: { ask: () => unknown }) {
  const credentials = useMemo(() => watched(loginCredentials(), ask), [ask]);
  return (
    <ApiProvider credentials={credentials}>
      <Outlet />
    </ApiProvider>
  );
}

/** A session may be ended from elsewhere: when the server refuses, it is asked again who is signed in. */
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
