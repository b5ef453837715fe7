// Schedules fetches at one origin: limits how many run at once, and spaces their starts. It alternates between accounts,
// so that the many records of one do not delay those of another. A fetch that would wait long gets a time to try again
// instead, and frees its worker's slot. Workers divide the limits equally, so that together they keep them.

/** A slot at the origin, or how long to stay away. */
export type OriginTurn = { release: () => void } | { waitMs: number };

export interface OriginTurns {
  /**
   * @param host name and port of the origin
   * @param share the account of the record, or one share for all anonymous sessions
   * @param hasWaited whether the caller has waited as long as it was asked to
   */
  take: (host: string, share: string, hasWaited: boolean, signal: AbortSignal) => Promise<OriginTurn>;
}

export interface OriginLimits {
  /** Between the starts of two fetches. */
  spacingMs: number;
  atOnce: number;
  /** Whether a share with `held` slots may take one of the `free` ones. Default: any but the last. */
  mayTake?: (held: number, free: number) => boolean;
  /** How many workers share these limits now. Default: only this one. */
  workers?: () => number;
}

/** Reserves the last slot for a share that has none, so that hanging fetches of one share cannot block all others. */
const allButTheLast = (held: number, free: number): boolean => free > 1 || (free === 1 && held === 0);

/** The longest wait in a worker's slot, at most twice: for the start time, and for a slot. */
const LONGEST_WAIT_MS = 1_000;
/**
 * A postponed fetch may come back to another worker. So each worker lets a few fetches wait for its next start times. Otherwise
 * a start time could pass unused on one worker while another worker postpones fetches.
 */
const STARTS_AT_HAND = 2;
/** A fetch that waits may send no heartbeats, and its worker is taken for dead after seven seconds. */
const LONGEST_WAIT_AMONG_WORKERS_MS = 4_000;
/** For the same reason, more fetches are asked to return than can start. The excess is postponed again. */
const PACE_AMONG_WORKERS = 0.85;
/** A workflow that waits this long learns of a deletion or change only afterwards. */
const LONGEST_ABSENCE_MS = 60 * 60_000;
const MANY = 1_000;
/**
 * The weight of the last fetch in the average, and the longest duration that counts, so that one hanging fetch has little
 * effect.
 */
const WEIGHT = 0.2;
const LONGEST_COUNTED_MS = 20_000;

/** One share at one origin. */
interface Lane {
  /** The earliest start of the next fetch of the share. Other shares may delay it. */
  nextMs: number;
  /** A start time reserved for the first fetch of the share that comes back. */
  keptMs: number | undefined;
  running: number;
  averageMs: number;
}

interface Origin {
  /** After all start times that were given out. */
  nextStartMs: number;
  running: number;
  lanes: Map<string, Lane>;
  /** Fetches that wait for a slot, first come first served. */
  waiting: { lane: Lane; answer: (hasSlot: boolean) => void }[];
}

export function createOriginTurns({ workers = () => 1, ...limits }: OriginLimits): OriginTurns {
  const origins = new Map<string, Origin>();
  return {
    take: async (host, share, hasWaited, signal) => {
      const rules = rulesOf(limits, workers());
      const origin = origins.get(host) ?? { nextStartMs: 0, running: 0, lanes: new Map(), waiting: [] };
      origins.set(host, origin);
      const lane = origin.lanes.get(share) ?? { nextMs: 0, keptMs: undefined, running: 0, averageMs: 0 };
      origin.lanes.set(share, lane);
      if (origins.size > MANY || origin.lanes.size > MANY) forgetIdle(origins);
      const waitMs = reserve(rules, origin, lane, hasWaited);
      if (waitMs > rules.longestWaitMs) return stayAway(waitMs);
      if (waitMs > 0) await delay(waitMs, signal);
      if (await takeSlot(rules, origin, lane)) return { release: occupy(rules, origin, lane) };
      // All running fetches take longer than this.
      lane.averageMs = Math.max(lane.averageMs, LONGEST_WAIT_MS);
      return stayAway(queueUp(rules, origin, lane, performance.now()));
    },
  };
}

interface Rules extends Required<Omit<OriginLimits, 'workers'>> {
  /** The slots that a share gets when it is alone. */
  slotsAlone: number;
  /** Until its start, in a worker's slot. */
  longestWaitMs: number;
  /** Between the times at which fetches of one share come back. */
  paceMs: number;
}

/** This worker's part of the limits. With more workers than slots, each has one slot. */
function rulesOf(
  { spacingMs, atOnce, mayTake = allButTheLast }: Omit<OriginLimits, 'workers'>,
  workers: number,
): Rules {
  const slots = Math.max(1, Math.floor(atOnce / workers));
  let slotsAlone = 0;
  while (mayTake(slotsAlone, slots - slotsAlone)) slotsAlone += 1;
  const ownMs = spacingMs * workers;
  const rules = { spacingMs: ownMs, atOnce: slots, mayTake, slotsAlone };
  if (workers === 1) return { ...rules, longestWaitMs: LONGEST_WAIT_MS, paceMs: ownMs };
  const atHandMs = Math.min(STARTS_AT_HAND * ownMs, LONGEST_WAIT_AMONG_WORKERS_MS);
  return { ...rules, longestWaitMs: Math.max(LONGEST_WAIT_MS, atHandMs), paceMs: PACE_AMONG_WORKERS * ownMs };
}

/** Spaces the fetches of a slow origin by the time that it takes to respond. Otherwise they would all find no slot. */
function paceOf({ paceMs, slotsAlone }: Rules, { lanes }: Origin, { averageMs }: Lane, now: number): number {
  const queues = [...lanes.values()].filter(({ nextMs }) => nextMs > now).length;
  return Math.max(paceMs * Math.max(1, queues), averageMs / slotsAlone);
}

/** @returns milliseconds until its turn in the share's own queue */
function queueUp(rules: Rules, origin: Origin, lane: Lane, now: number): number {
  const startMs = Math.max(now, lane.nextMs);
  lane.nextMs = Math.min(startMs + paceOf(rules, origin, lane, now), now + LONGEST_ABSENCE_MS);
  return startMs - now;
}

/** @returns milliseconds until its start; if more than the longest wait, until it should come back */
function reserve(rules: Rules, origin: Origin, lane: Lane, hasWaited: boolean): number {
  const { spacingMs, longestWaitMs } = rules;
  const now = performance.now();
  const queuedMs = hasWaited ? 0 : queueUp(rules, origin, lane, now);
  if (queuedMs > longestWaitMs) return queuedMs;
  const { keptMs = Infinity } = lane;
  if (keptMs <= now + longestWaitMs) {
    lane.keptMs = undefined;
    // Too late: the next fetch may have started.
    if (now < keptMs + spacingMs) return Math.max(0, keptMs - now);
  }
  const startMs = Math.max(now + queuedMs, origin.nextStartMs);
  if (startMs - now > longestWaitMs) {
    // One reserved start for each share, so that others can start in between.
    if (lane.keptMs !== undefined) return Math.max(queueUp(rules, origin, lane, now), lane.keptMs - now);
    lane.keptMs = startMs;
    lane.nextMs = Math.max(lane.nextMs, startMs + spacingMs);
  }
  origin.nextStartMs = startMs + spacingMs;
  return startMs - now;
}

const mayBegin = ({ atOnce, mayTake }: Rules, origin: Origin, lane: Lane): boolean =>
  origin.running < atOnce && mayTake(lane.running, atOnce - origin.running);

function hold(origin: Origin, lane: Lane, change: 1 | -1): void {
  lane.running += change;
  origin.running += change;
}

function takeSlot(rules: Rules, origin: Origin, lane: Lane): Promise<boolean> {
  if (mayBegin(rules, origin, lane)) {
    hold(origin, lane, 1);
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    const one = {
      lane,
      answer: (hasSlot: boolean): void => {
        clearTimeout(timer);
        origin.waiting = origin.waiting.filter((other) => other !== one);
        resolve(hasSlot);
      },
    };
    const timer = setTimeout(() => one.answer(false), LONGEST_WAIT_MS);
    origin.waiting.push(one);
  });
}

function occupy(rules: Rules, origin: Origin, lane: Lane): () => void {
  const startedAtMs = performance.now();
  return () => {
    const tookMs = Math.min(performance.now() - startedAtMs, LONGEST_COUNTED_MS);
    lane.averageMs = lane.averageMs === 0 ? tookMs : lane.averageMs + (tookMs - lane.averageMs) * WEIGHT;
    hold(origin, lane, -1);
    for (;;) {
      const next = origin.waiting.find((one) => mayBegin(rules, origin, one.lane));
      if (next === undefined) return;
      hold(origin, next.lane, 1);
      next.answer(true);
    }
  };
}

const stayAway = (waitMs: number): OriginTurn => ({
  waitMs: Math.min(Math.ceil(waitMs), LONGEST_ABSENCE_MS),
});

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

function forgetIdle(origins: Map<string, Origin>): void {
  const now = performance.now();
  for (const [host, { running, waiting, nextStartMs, lanes }] of origins) {
    for (const [share, lane] of lanes) {
      const isOver = lane.nextMs <= now && (lane.keptMs ?? 0) <= now;
      if (isOver && lane.running === 0 && !waiting.some((one) => one.lane === lane)) lanes.delete(share);
    }
    if (running === 0 && lanes.size === 0 && nextStartMs <= now) origins.delete(host);
  }
}
