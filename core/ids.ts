// Identifiers: a prefix that names the resource and a UUIDv7 (RFC 9562 5.7) in hex, so ids sort by time. References to records.
// Pure, because workflows make ids, too: the caller provides time and randomness.

const PREFIXES = {
  account: 'acc',
  apiKey: 'key',
  auditEntry: 'aud',
  check: 'chk',
  connectedClient: 'con',
  deltaEvent: 'evt',
  delivery: 'dlv',
  keyRequest: 'krq',
  loginSession: 'lgn',
  record: 'src',
  recordPreview: 'pvw',
  rulePreview: 'prv',
  session: 'ses',
  snapshot: 'snap',
  task: 'tsk',
  user: 'usr',
  webhook: 'wh',
} as const;

export type IdKind = keyof typeof PREFIXES;

/**
 * Makes an id such as `src_0199c1e2f3a47c5d9e8f7a6b5c4d3e2f`.
 * @param timeMs milliseconds since the epoch
 * @param randomHex at least 20 hexadecimal digits, such as a UUID with or without dashes
 * @throws TypeError with fewer digits
 */
export function makeId(kind: IdKind, timeMs: number, randomHex: string): string {
  const random = randomHex.replaceAll('-', '').toLowerCase();
  if (!/^[0-9a-f]{20,}$/.test(random)) throw new TypeError('An id needs 20 hexadecimal digits of randomness');
  const time = Math.floor(timeMs).toString(16).padStart(12, '0');
  const variant = '89ab'.charAt(Number.parseInt(random.charAt(0), 16) & 3);
  // Takes digits from both ends, because a version 4 UUID has fixed ones in the middle.
  return `${PREFIXES[kind]}_${time}7${random.slice(1, 4)}${variant}${random.slice(-15)}`;
}

/** Whether a text has the form of an id of this kind. It may not exist. */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = `${PREFIXES[kind]}_`;
  return text.startsWith(prefix) && /^[0-9a-f]{32}$/.test(text.slice(prefix.length));
}

/** Whether a text can name a record in a path: as an id, a slug or `self`. Anything else matches no record. */
export const isRecordReference = (text: string): boolean => /^[\w-]{1,100}$/.test(text);

/** Whether a reference to a record is an id: an id has an underscore, a slug has none. */
export const isIdReference = (reference: string): boolean => reference.includes('_');
