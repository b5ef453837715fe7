// The pages of an account: whoever is not signed in is led to do so, and then back.
import { useMemo } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { ApiProvider } from '../client/api-provider.tsx';
import { loginCredentials } from '../client/credentials.ts';
import { useSignedIn } from './signed-in.tsx';

export function SignedInPages() {
  const { signedIn } = useSignedIn();
  const { pathname, search } = useLocation();
  const userId = signedIn?.user.id;
  const credentials = useMemo(() => loginCredentials(userId ?? ''), [userId]);
  if (signedIn === undefined) return null;
  if (signedIn === null) {
    return <Navigate to={`/sign-in?${new URLSearchParams({ next: pathname + search })}`} replace />;
  }
  return (
    <ApiProvider credentials={credentials}>
      <Outlet />
    </ApiProvider>
  );
}
