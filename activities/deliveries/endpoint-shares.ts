// How many attempts a process has in flight to one endpoint, and for one account: a slow endpoint takes its share of
// the sender and no more. Nobody waits here: who finds no room comes back later.

interface Endpoint {
  webhookId: string;
  accountId: string;
}

export interface EndpointShares {
  /**
   * Takes a place, to be given back by calling the result; undefined when there is none.
   * @param isBacklog leaves some places of the endpoint to what is new
   */
  take: (endpoint: Endpoint, isBacklog?: boolean) => (() => void) | undefined;
  /** When somebody who found no place should come back; those who ask are given different times. */
  waitMs: (endpoint: Endpoint) => number;
}

export interface ShareLimits {
  perEndpoint: number;
  perEndpointBacklog: number;
  perAccount: number;
  /** For an endpoint with nothing in flight: those of the account that hang must not take the places of all others. */
  perAccountFirst: number;
}

/** The activity slots of a worker (worker/run-worker.ts) are several accounts' worth of these. */
export const SHARE_LIMITS: ShareLimits = {
  perEndpoint: 20,
  perEndpointBacklog: 16,
  perAccount: 200,
  perAccountFirst: 250,
};

/** An endpoint at its share is a slow one; a place becomes free when its attempt has timed out at the latest. */
const LONGEST_ATTEMPT_MS = 15_000;
const SHORTEST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5 * 60_000;

export function createEndpointShares(limits: ShareLimits = SHARE_LIMITS): EndpointShares {
  const inFlight = new Map<string, number>();
  /** The last time that was given to somebody who asked, by webhook; gone once it is past. */
  const lastTurns = new Map<string, number>();
  const count = (key: string): number => inFlight.get(key) ?? 0;
  const add = (key: string, change: 1 | -1): void => {
    const next = count(key) + change;
    if (next === 0) inFlight.delete(key);
    else inFlight.set(key, next);
  };
  return {
    take: ({ webhookId, accountId }, isBacklog = false) => {
      const share = isBacklog ? limits.perEndpointBacklog : limits.perEndpoint;
      const accountShare = count(webhookId) === 0 ? limits.perAccountFirst : limits.perAccount;
      if (count(webhookId) >= share || count(accountId) >= accountShare) return undefined;
      for (const key of [webhookId, accountId]) add(key, 1);
      return () => {
        for (const key of [webhookId, accountId]) add(key, -1);
        if (count(webhookId) === 0) lastTurns.delete(webhookId);
      };
    },
    waitMs: ({ webhookId }) => {
      const now = performance.now();
      const turn = Math.max(now, lastTurns.get(webhookId) ?? 0) + LONGEST_ATTEMPT_MS / limits.perEndpoint;
      lastTurns.set(webhookId, Math.min(turn, now + LONGEST_WAIT_MS));
      return Math.round(Math.min(turn - now, LONGEST_WAIT_MS * (0.5 + Math.random() / 2)) + SHORTEST_WAIT_MS);
    },
  };
}
