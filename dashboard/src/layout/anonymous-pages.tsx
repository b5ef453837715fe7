// The pages of the record that this browser watches without an account.
import { useMemo } from 'react';
import { Navigate, Outlet } from 'react-router';
import { ApiProvider } from '../client/api-provider.tsx';
import { heldSession, sessionCredentials } from '../client/credentials.ts';
import { SessionContext } from '../client/session-context.ts';

export function AnonymousPages() {
  const session = useMemo(() => heldSession(), []);
  const credentials = useMemo(
    () => (session === undefined ? undefined : sessionCredentials(session)),
    [session],
  );
  if (credentials === undefined) return <Navigate to="/" replace />;
  return (
    <ApiProvider credentials={credentials}>
      <SessionContext value={session}>
        <Outlet />
      </SessionContext>
    </ApiProvider>
  );
}
