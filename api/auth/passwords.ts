// Hashes passwords, a few at once, because each takes 64 MiB. Addresses take turns, so that nobody can keep others from signing
// in, not even with a correct password.
import { AsyncLocalStorage } from 'node:async_hooks';
import { hash, verify } from '@node-rs/argon2';
import type { Limiter } from '../../core/limiter.ts';

/** argon2id, the library's default, with 64 MiB and three passes. */
const PARAMETERS = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };
const CURRENT = `m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}`;

export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

export interface Passwords {
  /** Runs work whose hashes are those of a caller at this address. The sign-in library computes some, and knows no request. */
  asCaller: <T>(address: string, work: () => T) => T;
  /** @returns a PHC string @throws ApiError rate_limited when too many of the caller wait */
  hash: (password: string) => Promise<string>;
  /** @throws ApiError rate_limited when too many of the caller wait */
  verify: (given: { hash: string; password: string }) => Promise<boolean>;
}

export function createPasswords(limiter: Limiter): Passwords {
  const callers = new AsyncLocalStorage<string>();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => limiter.run(callers.getStore() ?? '', work);
  return {
    asCaller: (address, work) => callers.run(address, work),
    hash: (password) => inTurn(() => hash(normal(password), PARAMETERS)),
    verify: (given) => inTurn(() => verify(given.hash, normal(given.password))),
  };
}

/** Keyboards compose the same character differently (NIST SP 800-63B, 3.1.1.2). */
const normal = (password: string): string => password.normalize('NFKC');

/** Whether the hash has other parameters than PARAMETERS. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.includes(`$${CURRENT}$`);
