// Gives the pages below it the API with one caller's credentials, and a cache for that caller only.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import createQueryHooks, { type OpenapiQueryClient } from 'openapi-react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Api, createApi } from './client.ts';
import type { Credentials } from './credentials.ts';
import { Problem } from './problem.ts';
import type { paths } from './schema.ts';

type Queries = Pick<OpenapiQueryClient<paths>, 'queryOptions'>;

interface Held {
  api: Api;
  queries: Queries;
}

const Context = createContext<Held | undefined>(undefined);

export function ApiProvider({ credentials, children }: { credentials: Credentials; children: ReactNode }) {
  const { held, queries } = useMemo(() => {
    const api = createApi(credentials);
    return { held: { api, queries: createQueryHooks(api) }, queries: createQueryClient() };
  }, [credentials]);
  return (
    <Context value={held}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </Context>
  );
}

/** Typed queries: `useQuery(useApiQueries().queryOptions('get', '/v1/sources', …))`. The error is a Problem. */
export const useApiQueries = (): Queries => useHeld().queries;

/** The client itself, for mutations and paged lists: `client.POST('/v1/sources', …)`. Throws a Problem. */
export const useApiClient = (): Api => useHeld().api;

function useHeld(): Held {
  const held = useContext(Context);
  if (held === undefined) throw new Error('there is no ApiProvider above this');
  return held;
}

const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < triesAfter(error),
      },
    },
  });

/** Retries requests that did not arrive, and those whose token expired. The API would refuse other requests again. */
function triesAfter(error: Error): number {
  if (!(error instanceof Problem) || !isSettled(error)) return 3;
  return error.status === 401 ? 1 : 0;
}

const isSettled = ({ status }: Problem): boolean => status >= 400 && status < 500 && status !== 429;
