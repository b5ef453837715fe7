// Limits the memory that bodies with rows take in a process while endpoints answer. Each has up to 1 MiB.
import { isFairShare, Limiter, type Release } from '../../core/limiter.ts';

interface Owner {
  webhookId: string;
  accountId: string;
}

interface MemoryReservation {
  /** Gives back what this body does not need. */
  shrinkTo: (body: string) => void;
  release: Release;
}

export interface BodyMemory {
  /** Reserves memory for a body of this size; undefined when there is none left. */
  take: (owner: Owner, bytes: number) => MemoryReservation | undefined;
}

/**
 * A body is in memory as text, and as the bytes that are sent. An account alone gets half of it, which is enough for usual
 * bodies in all of its slots (endpoint-slots.ts).
 */
const TOTAL_BYTES = 128 * 1024 * 1024;

/** A webhook, and an account, gets no more than is still free. */
export function createBodyMemory(totalBytes: number = TOTAL_BYTES): BodyMemory {
  const limiter = new Limiter({ total: totalBytes });
  const hold = ({ webhookId, accountId }: Owner, bytes: number): Release | undefined => {
    const limits = [webhookId, accountId].map((key) => ({ key, max: totalBytes }));
    const held = limiter.tryTake(limits, bytes);
    return 'release' in held ? held.release : undefined;
  };
  const isFair = ({ webhookId, accountId }: Owner, bytes: number): boolean => {
    const free = totalBytes - limiter.load.running;
    return [webhookId, accountId].every((key) => isFairShare(limiter.inUse(key) + bytes - 1, free));
  };
  return {
    take: (owner, bytes) => {
      let release = isFair(owner, bytes) ? hold(owner, bytes) : undefined;
      if (release === undefined) return undefined;
      return {
        shrinkTo: (body) => {
          release?.();
          release = hold(owner, Buffer.byteLength(body));
        },
        release: () => release?.(),
      };
    },
  };
}
