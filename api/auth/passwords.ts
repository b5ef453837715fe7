// Passwords: how they are hashed, and that few are at once, because each takes 64 MiB.
import { hash, verify } from '@node-rs/argon2';
import { ApiError } from '../../core/errors.ts';

/** argon2id, which is the library's own choice; 64 MiB, three passes. */
const PARAMETERS = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };
const CURRENT = `m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}`;

const AT_ONCE = 2;
const WAITING = 20;
const RETRY_AFTER_SECONDS = 5;

export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

export interface Passwords {
  /** @returns a PHC string @throws ApiError rate_limited when too many wait */
  hash: (password: string) => Promise<string>;
  /** @throws ApiError rate_limited when too many wait */
  verify: (given: { hash: string; password: string }) => Promise<boolean>;
}

export function createPasswords(): Passwords {
  const inTurn = createQueue();
  return {
    hash: (password) => inTurn(() => hash(normal(password), PARAMETERS)),
    verify: (given) => inTurn(() => verify(given.hash, normal(given.password))),
  };
}

/** Keyboards compose the same characters differently (NIST SP 800-63B 3.1.1.2). */
const normal = (password: string): string => password.normalize('NFKC');

/** Whether it was made under other parameters than these. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.includes(`$${CURRENT}$`);

function createQueue() {
  const queue: (() => void)[] = [];
  let underWay = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (underWay < AT_ONCE) underWay += 1;
    else if (queue.length < WAITING) await new Promise<void>((resolve) => queue.push(resolve));
    else throw tooMany();
    try {
      return await work();
    } finally {
      // Whoever waited longest has the place from now on.
      const next = queue.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  };
}

function tooMany(): ApiError {
  return new ApiError('rate_limited', 'Too many people are signing in at this moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
