// The two codes of a key request (RFC 8628): the device secret, and the short code that a person compares.
import { randomBytes, randomInt } from 'node:crypto';

/** Consonants only, so a code spells no word (RFC 8628 6.1). Eight of them are 34 random bits. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** In capital letters, as the service writes it: BCDF-GHJK. */
export const USER_CODE_PATTERN = `^[${LETTERS}]{4}-[${LETTERS}]{4}$`;

export function newUserCode(): string {
  const four = (): string =>
    Array.from({ length: 4 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
  return `${four()}-${four()}`;
}

/** 256 random bits. */
export const newDeviceSecret = (): string => randomBytes(32).toString('base64url');
