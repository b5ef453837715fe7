// Each process limits concurrent attempts per webhook and account, and the memory of their bodies, so that a slow endpoint
// cannot block the others. Nothing waits here: the excess joins the backlog.
import { Limiter, type Release } from '../../core/limiter.ts';
import { type BodyMemory, createBodyMemory } from './body-memory.ts';

interface Endpoint {
  webhookId: string;
  accountId: string;
  /** Null for a body without rows, which is small. */
  bodySettings?: { rows: { maxBodyBytes: number } | null } | null;
}

/** The slot and the memory that one attempt holds. */
export interface AttemptSlot {
  /** Gives back what was taken beyond the size of this body. */
  shrinkTo: (body: string) => void;
  release: Release;
}

export interface EndpointSlots {
  /**
   * Takes a slot, and memory for the largest body. Undefined when a limit is reached.
   * @param isBacklog leaves some slots of the endpoint to new deliveries
   */
  take: (endpoint: Endpoint, isBacklog?: boolean) => AttemptSlot | undefined;
  /** Milliseconds until a caller without a slot should try again. Spreads callers over time. */
  waitMs: (endpoint: Endpoint) => number;
}

export interface SlotLimits {
  perEndpoint: number;
  perEndpointBacklog: number;
  perAccount: number;
  /** For an endpoint with nothing in flight, so that hanging endpoints of an account do not block its other ones. */
  perAccountFirst: number;
}

/** A worker has activity slots for several accounts at their limit (worker/run-worker.ts). */
export const SLOT_LIMITS: SlotLimits = {
  perEndpoint: 20,
  perEndpointBacklog: 16,
  perAccount: 200,
  perAccountFirst: 250,
};

/** An endpoint at its limit is slow, and a slot becomes free when its attempt times out, at the latest. */
const LONGEST_ATTEMPT_MS = 15_000;
const SHORTEST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5 * 60_000;

export function createEndpointSlots(
  limits: SlotLimits = SLOT_LIMITS,
  bodies: BodyMemory = createBodyMemory(),
): EndpointSlots {
  const inFlight = new Limiter();
  /** The last time handed out by `waitMs`, by webhook. */
  const lastTimes = new Map<string, number>();
  return {
    take: (endpoint, isBacklog = false) => {
      const { webhookId, accountId } = endpoint;
      const isFirst = inFlight.inUse(webhookId) === 0;
      const taken = inFlight.tryTake([
        { key: webhookId, max: isBacklog ? limits.perEndpointBacklog : limits.perEndpoint },
        { key: accountId, max: isFirst ? limits.perAccountFirst : limits.perAccount },
      ]);
      if ('full' in taken) return undefined;
      const release = (): void => {
        taken.release();
        if (inFlight.inUse(webhookId) === 0) lastTimes.delete(webhookId);
      };
      const rows = endpoint.bodySettings?.rows ?? null;
      if (rows === null) return { shrinkTo: () => undefined, release };
      const memory = bodies.take(endpoint, rows.maxBodyBytes);
      if (memory === undefined) {
        release();
        return undefined;
      }
      return {
        shrinkTo: memory.shrinkTo,
        release: () => {
          memory.release();
          release();
        },
      };
    },
    waitMs: ({ webhookId }) => {
      const now = performance.now();
      const time = Math.max(now, lastTimes.get(webhookId) ?? 0) + LONGEST_ATTEMPT_MS / limits.perEndpoint;
      lastTimes.set(webhookId, Math.min(time, now + LONGEST_WAIT_MS));
      return Math.round(Math.min(time - now, LONGEST_WAIT_MS * (0.5 + Math.random() / 2)) + SHORTEST_WAIT_MS);
    },
  };
}
