// Whose turn it is at an origin: so many fetches at once, and so far apart, whosever the records are. A worker's slots
// are not for waiting in: who would wait long is told when to come back, and has that turn then.

import { mayHoldMore } from '../places.ts';

/** A place at the origin, or how long to stay away. */
export type Turn = { giveBack: () => void } | { waitMs: number };

export interface OriginTurns {
  /**
   * @param host name and port of the origin
   * @param hasWaited has stayed away as told: only a place is wanting
   */
  take: (host: string, hasWaited: boolean, signal: AbortSignal) => Promise<Turn>;
}

export interface TurnLimits {
  /** Between the beginnings of two fetches. */
  spacingMs: number;
  atOnce: number;
  /** Places of all together, of which each takes a share (activities/places.ts); missing: no limit. */
  total?: number;
}

/** How long a worker's slot may be held for a turn, twice at most: for its time, and for a place. */
const LONGEST_WAIT_MS = 1_000;
/** A record that is deleted or changed meanwhile hears of it afterwards. */
const LONGEST_ABSENCE_MS = 60 * 60_000;
const MANY_HOSTS = 1_000;
/** How much the last fetch counts in the average, and for how long at most: one that hung is no rule. */
const WEIGHT = 0.2;
const LONGEST_COUNTED_MS = 20_000;

interface Origin {
  nextStartMs: number;
  running: number;
  /** Those who wait for a place here, first come first served. */
  waiting: ((hasPlace: boolean) => void)[];
  averageMs: number;
}

/** The places of one among those of all. */
interface PlacesOfAll {
  isOpen: (origin: Origin) => boolean;
  hold: (origin: Origin, change: 1 | -1) => void;
}

export function createOriginTurns(limits: TurnLimits): OriginTurns {
  const origins = new Map<string, Origin>();
  const { total = Infinity } = limits;
  let running = 0;
  const places: PlacesOfAll = {
    isOpen: (origin) => origin.running < limits.atOnce && mayHoldMore(origin.running, total - running),
    hold: (origin, change) => {
      origin.running += change;
      running += change;
    },
  };
  return {
    take: async (host, hasWaited, signal) => {
      const origin = origins.get(host) ?? { nextStartMs: 0, running: 0, waiting: [], averageMs: 0 };
      origins.set(host, origin);
      if (origins.size > MANY_HOSTS) forgetIdle(origins);
      const waitMs = hasWaited ? 0 : reserve(origin, limits);
      if (waitMs > LONGEST_WAIT_MS) return stayAway(waitMs);
      if (waitMs > 0) await delay(waitMs, signal);
      if (await takePlace(origin, places)) return { giveBack: occupy(origin, places) };
      // All who have a place take longer than this.
      origin.averageMs = Math.max(origin.averageMs, LONGEST_WAIT_MS);
      return stayAway(reserve(origin, limits));
    },
  };
}

const stayAway = (waitMs: number): Turn => ({ waitMs: Math.min(Math.ceil(waitMs), LONGEST_ABSENCE_MS) });

function delay(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, waitMs);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new Error('Given up'));
    };
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** Slow origins are asked as rarely as they answer: else all who come would find all places taken. */
function paceOf({ averageMs }: Origin, { spacingMs, atOnce }: TurnLimits): number {
  return Math.max(spacingMs, averageMs / atOnce);
}

/** @returns until the turn that is now taken, in milliseconds */
function reserve(origin: Origin, limits: TurnLimits): number {
  const now = performance.now();
  const startMs = Math.max(now, origin.nextStartMs);
  origin.nextStartMs = startMs + paceOf(origin, limits);
  return startMs - now;
}

function takePlace(origin: Origin, places: PlacesOfAll): Promise<boolean> {
  if (places.isOpen(origin)) {
    places.hold(origin, 1);
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      origin.waiting = origin.waiting.filter((one) => one !== answer);
      resolve(false);
    }, LONGEST_WAIT_MS);
    const answer = (hasPlace: boolean): void => {
      clearTimeout(timer);
      resolve(hasPlace);
    };
    origin.waiting.push(answer);
  });
}

function occupy(origin: Origin, places: PlacesOfAll): () => void {
  const startedAtMs = performance.now();
  return () => {
    const tookMs = Math.min(performance.now() - startedAtMs, LONGEST_COUNTED_MS);
    origin.averageMs =
      origin.averageMs === 0 ? tookMs : origin.averageMs + (tookMs - origin.averageMs) * WEIGHT;
    places.hold(origin, -1);
    const next = places.isOpen(origin) ? origin.waiting.shift() : undefined;
    if (next === undefined) return;
    places.hold(origin, 1);
    next(true);
  };
}

function forgetIdle(origins: Map<string, Origin>): void {
  const now = performance.now();
  for (const [host, { running, waiting, nextStartMs }] of origins) {
    if (running === 0 && waiting.length === 0 && nextStartMs <= now) origins.delete(host);
  }
}
