// The server's facts about itself, for its pages.
import { QueryClient, useQuery } from '@tanstack/react-query';
import type { components } from './schema.ts';
import { timeLimit } from './time-limit.ts';

interface Installation {
  /** The API's public address, without a trailing slash. The page may have been loaded from another one. */
  baseUrl: string;
  /** The page on which to get a paid tier. */
  upgradeUrl: string | null;
  /** Whether a webhook may send mails. */
  sendsMails: boolean;
  /** The shortest time between two checks, by the record's tier; null if unknown. */
  smallestIntervalSeconds: Readonly<Record<Tier, number>> | null;
}

type Tier = components['schemas']['Record']['tier'];

const UNKNOWN: Installation = {
  baseUrl: location.origin,
  upgradeUrl: null,
  sendsMails: false,
  smallestIntervalSeconds: null,
};

/** The same for every caller, so not in a caller's cache. */
const queries = new QueryClient();

export function useInstallation(): Installation {
  const { data = UNKNOWN } = useQuery(
    { queryKey: ['installation'], queryFn: readInstallation, staleTime: Infinity, retry: false },
    queries,
  );
  return data;
}

/** If the server has no such file, nothing is known. */
async function readInstallation(): Promise<Installation> {
  const response = await fetch('/dashboard/settings.json', { signal: timeLimit() });
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return response.ok && isJson ? { ...UNKNOWN, ...(await response.json()) } : UNKNOWN;
}
