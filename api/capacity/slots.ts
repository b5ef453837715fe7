// Slots that callers hold until their answer is read: so many for an account, and a fair share of what is left. For a newcomer
// who finds none, answers end that are read too slowly.
import { ApiError } from '../../core/errors.ts';
import { isFairShare, Limiter, type Release } from '../../core/limiter.ts';

/** All anonymous sessions share a limit: anyone can have as many sessions as IP addresses. */
export const SESSIONS = 'sessions';

export interface Owner {
  accountId: string;
  /** True for the temporary account of an anonymous session. */
  isAnonymous: boolean;
}

interface SlotsOptions {
  total: number;
  perAccount: number;
  /** For all anonymous sessions together. */
  sessions: number;
  /** What a refusal says: of the account's own limit, and of the others. */
  words: { account: string; process: string };
}

export interface Holder {
  /** Whether it may lose its slot to another caller. */
  isSlow: () => boolean;
  /** Ends what it does. */
  end: () => void;
}

interface Held extends Owner, Holder {
  release: Release;
}

const RETRY_AFTER_SECONDS = 5;

export class Slots {
  readonly #options: SlotsOptions;
  readonly #limiter: Limiter;
  /** Those that may become slow, oldest first. */
  readonly #held = new Set<Held>();

  constructor(options: SlotsOptions) {
    this.#options = options;
    this.#limiter = new Limiter({ total: options.total });
  }

  inUse(accountId: string): number {
    return this.#limiter.inUse(accountId);
  }

  /**
   * @param perAccount replaces the limit of an account
   * @throws ApiError rate_limited when the account holds too many, unavailable when no slot is left for it
   */
  take(
    owner: Owner,
    { units = 1, holder, perAccount }: { units?: number; holder?: Holder; perAccount?: number } = {},
  ): Release {
    const { words } = this.#options;
    for (;;) {
      const taken = this.#tryTake(owner, units, perAccount ?? this.#options.perAccount);
      if ('release' in taken) return holder === undefined ? taken.release : this.#watch(owner, holder, taken);
      if (taken.full === owner.accountId) throw refusal('rate_limited', words.account);
      if (!this.#endSlow(owner, taken.full)) throw refusal('unavailable', words.process);
    }
  }

  #tryTake({ accountId, isAnonymous }: Owner, units: number, perAccount: number) {
    const limits = [{ key: accountId, max: perAccount }];
    if (isAnonymous) limits.push({ key: SESSIONS, max: this.#options.sessions });
    const held = this.inUse(accountId) + units - 1;
    const isFair = isFairShare(held, this.#options.total - this.#limiter.load.running);
    return isFair || held >= perAccount ? this.#limiter.tryTake(limits, units) : { full: 'total' };
  }

  #watch({ accountId, isAnonymous }: Owner, holder: Holder, taken: { release: Release }): Release {
    const release = (): void => {
      this.#held.delete(held);
      taken.release();
    };
    const held: Held = { accountId, isAnonymous, ...holder, release };
    this.#held.add(held);
    return release;
  }

  /**
   * For a caller who holds nothing: ends the oldest slow one of the account that holds most.
   * @param full the limit that was reached
   * @returns whether there was one
   */
  #endSlow({ accountId }: Owner, full: string): boolean {
    if (this.inUse(accountId) > 0) return false;
    let worst: Held | undefined;
    for (const held of this.#held) {
      if (full === SESSIONS && !held.isAnonymous) continue;
      const isWorse = worst === undefined || this.inUse(held.accountId) > this.inUse(worst.accountId);
      if (isWorse && held.isSlow()) worst = held;
    }
    worst?.release();
    worst?.end();
    return worst !== undefined;
  }
}

const refusal = (code: 'rate_limited' | 'unavailable', detail: string): ApiError =>
  new ApiError(code, detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
