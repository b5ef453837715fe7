// Limits the disk space of bodies that are being fetched, in total and by fairness key (an account). Not a Limiter: the
// total follows the free space of the disk, and a body takes more bytes as it grows.
import { statfs } from 'node:fs/promises';
import { isFairShare } from '../../core/limiter.ts';

export interface SpoolQuota {
  /** Opens a reservation for one body of this fairness key. Takes nothing yet. */
  open: (fairnessKey: string) => SpoolReservation;
  /** Whether a body of this fairness key finds space only when others end. Not while other files fill the disk. */
  isFull: (fairnessKey: string) => boolean;
  /** In bytes. The limit is infinite until the disk has been looked at. */
  usage: () => { used: number; limit: number };
}

export interface SpoolReservation {
  /** @throws SpoolFull when there is no space for a body of this size, and after the release: a fetch that was given up goes on */
  growTo: (bytes: number) => void;
  release: () => void;
}

/** A retry may find space. Has the code of a full disk, which it prevents. */
export class SpoolFull extends Error {
  readonly code = 'ENOSPC';

  constructor(maxBytes: number) {
    const mb = Math.floor(maxBytes / MiB);
    super(`The spool is full: fetched bodies may use ${mb} MiB in total (SPOOL_MAX_MB)`);
    this.name = 'SpoolFull';
  }
}

const MiB = 1024 * 1024;
/** Of the free disk space plus what these bodies take. The rest is for other files. */
const PART_OF_DISK = 0.75;
const LOOK_EVERY_MS = 1_000;

/** @param maxMb in MiB; 0: three quarters of the free disk space, including what these bodies take */
export function createSpoolQuota(folder: string, maxMb: number): SpoolQuota {
  const held = new Map<string, number>();
  let used = 0;
  let maxBytes = maxMb === 0 ? Infinity : maxMb * MiB;
  let lookedAtMs = -Infinity;
  const look = (): void => {
    if (maxMb !== 0 || performance.now() - lookedAtMs < LOOK_EVERY_MS) return;
    lookedAtMs = performance.now();
    statfs(folder).then(
      ({ bavail, bsize }) => (maxBytes = PART_OF_DISK * (used + bavail * bsize)),
      // Writing fails then.
      () => undefined,
    );
  };
  const hasNoSpace = (fairnessKey: string): boolean => {
    look();
    return !isFairShare(held.get(fairnessKey) ?? 0, maxBytes - used);
  };
  return {
    isFull: (fairnessKey) => hasNoSpace(fairnessKey) && used > 0,
    usage: () => {
      look();
      return { used, limit: maxBytes };
    },
    open: (fairnessKey) => {
      let ofBody = 0;
      let isReleased = false;
      const take = (bytes: number): void => {
        ofBody += bytes;
        used += bytes;
        const now = (held.get(fairnessKey) ?? 0) + bytes;
        if (now === 0) held.delete(fairnessKey);
        else held.set(fairnessKey, now);
      };
      return {
        growTo: (bytes) => {
          if (isReleased) throw new SpoolFull(maxBytes);
          take(bytes - ofBody);
          if (hasNoSpace(fairnessKey)) throw new SpoolFull(maxBytes);
        },
        release: () => {
          isReleased = true;
          take(-ofBody);
        },
      };
    },
  };
}
