// What the server tells its pages of itself.
import { QueryClient, useQuery } from '@tanstack/react-query';
import type { components } from './schema.ts';

interface Installation {
  /** Where the API answers everybody, without a slash at the end: this page may have come by another way. */
  baseUrl: string;
  /** Where people get a paid tier. */
  upgradeUrl: string | null;
  /** Between two checks, by the record's tier; null: not known. */
  smallestIntervalSeconds: Readonly<Record<Tier, number>> | null;
}

type Tier = components['schemas']['Record']['tier'];

const UNKNOWN: Installation = {
  baseUrl: location.origin,
  upgradeUrl: null,
  smallestIntervalSeconds: null,
};

/** The same for whoever is signed in: not in the cache of a caller. */
const queries = new QueryClient();

export function useInstallation(): Installation {
  const { data = UNKNOWN } = useQuery(
    { queryKey: ['installation'], queryFn: readInstallation, staleTime: Infinity, retry: false },
    queries,
  );
  return data;
}

/** Of a server without the file, nothing is known. */
async function readInstallation(): Promise<Installation> {
  const response = await fetch('/dashboard/settings.json');
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return response.ok && isJson ? { ...UNKNOWN, ...(await response.json()) } : UNKNOWN;
}
