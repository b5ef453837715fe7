// Who is signed in: asked once, and known to every page.
import { QueryClient, useQuery } from '@tanstack/react-query';
import { type SignedIn, whoIsSignedIn } from '../client/auth.ts';

interface Known {
  /** Undefined until it is known, null if nobody is signed in. */
  signedIn: SignedIn | null | undefined;
  /** Called after signing in or out. */
  ask: () => Promise<unknown>;
}

/** Separate from the API's answers, whose cache ends with its caller. */
const queries = new QueryClient();

export function useSignedIn(): Known {
  const { data, error, refetch } = useQuery(
    { queryKey: ['signed-in'], queryFn: whoIsSignedIn, staleTime: 60_000, retry: 1 },
    queries,
  );
  // A server that is briefly unreachable says nothing about who is signed in.
  return { signedIn: data === undefined && error !== null ? null : data, ask: refetch };
}
