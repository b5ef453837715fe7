// Readers of settings: text of the environment to a value, or an Error that says what is expected.
import ipaddr from 'ipaddr.js';
import { parseAllowedNetworks } from './network/address-policy.ts';
import { parseNat64Prefixes } from './network/nat64.ts';

export function readDatabaseUrl(text: string): string {
  if (text !== '' && !/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new Error('must look like postgres://user:password@host:5432/database');
  }
  return text;
}

export function readText(text: string): string {
  return text;
}

export function readOptionalBoolean(text: string): boolean | undefined {
  if (text === '') return undefined;
  if (text !== 'true' && text !== 'false') throw new Error('must be true or false');
  return text === 'true';
}

export function readSmtpUrl(text: string): string {
  if (text !== '' && !/^smtps?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new Error('must look like smtp://user:password@host:587');
  }
  return text;
}

/** Must be an address, because some shells export HOST with the machine's name. */
export function readAddress(text: string): string {
  if (ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)) return text;
  throw new Error('must be an IP address such as 127.0.0.1 or 0.0.0.0');
}

export function readPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('must be a port number');
  return port;
}

/** Null for an empty text. */
export function readListenAddress(text: string): { host: string; port: number } | null {
  if (text === '') return null;
  const [, host = '', digits = ''] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || (bare !== host && ipaddr.IPv6.isValid(bare));
  if (!isAddress || port < 1 || port > 65_535) throw new Error('must be like 127.0.0.1:9464 or [::1]:9464');
  return { host: bare, port };
}

export function readPositiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error('must be a whole number from 1');
  return value;
}

export function readCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error('a whole number');
  return Number(text);
}

export function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds < 0) throw new Error('must be a number of seconds');
  return seconds;
}

export function readPositiveSeconds(text: string): number {
  const seconds = readSeconds(text);
  if (seconds === 0) throw new Error('must be a number of seconds above 0');
  return seconds;
}

export function readHttpUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error('must be an http or https URL');
  return text.replace(/(?<!\/)\/+$/, '');
}

export function readOptionalHttpUrl(text: string): string {
  return text === '' ? '' : readHttpUrl(text);
}

export function readNetworks(text: string): readonly string[] {
  const networks = splitList(text);
  parseAllowedNetworks(networks);
  return networks;
}

export function readHosts(text: string): readonly string[] {
  const names = splitList(text.toLowerCase());
  if (!names.every((name) => name === '*' || /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/.test(name))) {
    throw new Error('must be names without a port, such as watch.example.com, or *');
  }
  return names;
}

/** In lower case, as in the users table. */
export function readEmails(text: string): readonly string[] {
  const emails = splitList(text.toLowerCase());
  if (!emails.every((email) => /^[^\s@]+@[^\s@]+$/.test(email))) {
    throw new Error('must be email addresses such as ada@example.com');
  }
  return emails;
}

export function readNat64Prefixes(text: string): readonly string[] {
  const prefixes = splitList(text);
  parseNat64Prefixes(prefixes);
  return prefixes;
}

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Key-encryption keys by id, in order. The first one seals. */
export function readKeys(text: string): ReadonlyMap<string, Uint8Array> {
  const keys = new Map<string, Uint8Array>();
  for (const part of splitList(text)) {
    const [id = '', encoded = ''] = part.split(':');
    const key = Buffer.from(encoded, 'base64');
    if (!/^\w{1,16}$/.test(id) || key.length !== 32) {
      throw new Error('must be id:base64 pairs, each key 32 bytes (openssl rand -base64 32)');
    }
    if (keys.has(id)) throw new Error('must not name two keys alike');
    keys.set(id, key);
  }
  return keys;
}

export function readRatio(text: string): number {
  const ratio = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(ratio <= 1)) throw new Error('must be a number from 0 to 1');
  return ratio;
}

export function readTracesExporter(text: string): 'otlp' | 'none' {
  if (text !== 'otlp' && text !== 'none') throw new Error('must be otlp or none');
  return text;
}

const SHORTEST_TOKEN = 32;

/** A secret that callers present. Anybody may try one, so it must be too long to guess. */
export function readToken(text: string): string {
  if (text !== '' && !new RegExp(`^[\\x21-\\x7e]{${SHORTEST_TOKEN},}$`).test(text)) {
    throw new Error(`must be at least ${SHORTEST_TOKEN} characters without spaces (openssl rand -hex 32)`);
  }
  return text;
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

export function readSchedule(text: string): readonly number[] {
  return text.split(',').map((part) => {
    const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(part.trim()) ?? [];
    if (number === '') throw new Error('must be waits such as 5s,5m,2h');
    // The pattern allows these units only.
    return Number(number) * UNIT_MS[unit as keyof typeof UNIT_MS];
  });
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export function readLogLevel(text: string): (typeof LOG_LEVELS)[number] {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined) throw new Error(`must be one of ${LOG_LEVELS.join(', ')}`);
  return level;
}
