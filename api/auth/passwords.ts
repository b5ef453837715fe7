// Hashes passwords, a few at once, because each takes 64 MiB.
import { hash, verify } from '@node-rs/argon2';
import type { Limiter } from '../../core/limiter.ts';

/** argon2id, the library's default, with 64 MiB and three passes. */
const PARAMETERS = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };
const CURRENT = `m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}`;

/** All hashes share one limit. */
const KEY = 'passwords';

export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

export interface Passwords {
  /** @returns a PHC string @throws ApiError rate_limited when too many wait */
  hash: (password: string) => Promise<string>;
  /** @throws ApiError rate_limited when too many wait */
  verify: (given: { hash: string; password: string }) => Promise<boolean>;
}

export function createPasswords(limiter: Limiter): Passwords {
  return {
    hash: (password) => limiter.run(KEY, () => hash(normal(password), PARAMETERS)),
    verify: (given) => limiter.run(KEY, () => verify(given.hash, normal(given.password))),
  };
}

/** Keyboards compose the same character differently (NIST SP 800-63B, 3.1.1.2). */
const normal = (password: string): string => password.normalize('NFKC');

/** Whether the hash has other parameters than PARAMETERS. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.includes(`$${CURRENT}$`);
