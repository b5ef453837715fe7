// A strict JSON reader (RFC 8259). Unlike JSON.parse it keeps the text of numbers and reports repeated members.
import { compareKeys } from '../compare-keys.ts';

/** The canonical text of a scalar or an array, or an object's members in the order of their first occurrence. */
export type JsonNode = string | JsonMembers;
export type JsonMembers = Map<string, JsonNode>;

interface JsonDocument {
  root: JsonNode;
  /** Names of repeated members, once for each repetition. The last value counts. */
  duplicates: string[];
}

type JsonFault = 'syntax' | 'depth' | 'character';

/** The kind of error in a JSON text and its offset. Contains nothing of the text. */
export class JsonScanError extends Error {
  readonly fault: JsonFault;
  readonly offset: number;

  constructor(fault: JsonFault, offset: number) {
    super(`${fault} at character ${offset}`);
    this.name = 'JsonScanError';
    this.fault = fault;
    this.offset = offset;
  }
}

interface Scan {
  text: string;
  at: number;
  maxDepth: number;
  duplicates: string[];
}

/**
 * Reads one JSON text. Canonical tokens have no white space, escape only what must be escaped, keep numbers as written, and
 * sort the members of objects within arrays.
 * @param maxDepth how deep objects and arrays may nest; a scalar has depth 0
 * @throws JsonScanError; `character` for NUL and for half of a surrogate pair, escaped or not
 */
export function scanJson(text: string, maxDepth: number): JsonDocument {
  const scan: Scan = { text, at: 0, maxDepth, duplicates: [] };
  skipSpace(scan);
  const root = readValue(scan, 0);
  skipSpace(scan);
  if (scan.at < text.length) throw new JsonScanError('syntax', scan.at);
  return { root, duplicates: scan.duplicates };
}

/** The canonical token of a node. */
export function tokenOf(node: JsonNode): string {
  if (typeof node === 'string') return node;
  const members = [...node].sort(([left], [right]) => compareKeys(left, right));
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${tokenOf(value)}`).join(',')}}`;
}

/** The text of a JSON string token. */
export function decodeString(token: string): string {
  // Tokens come from scanJson or JSON.stringify, so this is a JSON string.
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
}

function readValue(scan: Scan, depth: number): JsonNode {
  switch (scan.text.charAt(scan.at)) {
    case '"':
      return readString(scan);
    case '{':
      return readObject(scan, enter(scan, depth));
    case '[':
      return readArray(scan, enter(scan, depth));
    default:
      return readPlain(scan);
  }
}

function enter(scan: Scan, depth: number): number {
  if (depth === scan.maxDepth) throw new JsonScanError('depth', scan.at);
  scan.at++;
  return depth + 1;
}

function readObject(scan: Scan, depth: number): JsonMembers {
  const members: JsonMembers = new Map();
  for (let isFirst = true; !leave(scan, '}', isFirst); isFirst = false) {
    if (scan.text.charAt(scan.at) !== '"') throw new JsonScanError('syntax', scan.at);
    const name = decodeString(readString(scan));
    skipSpace(scan);
    if (scan.text.charAt(scan.at) !== ':') throw new JsonScanError('syntax', scan.at);
    scan.at++;
    skipSpace(scan);
    if (members.has(name)) scan.duplicates.push(name);
    members.set(name, readValue(scan, depth));
  }
  return members;
}

function readArray(scan: Scan, depth: number): string {
  const items: string[] = [];
  for (let isFirst = true; !leave(scan, ']', isFirst); isFirst = false)
    items.push(tokenOf(readValue(scan, depth)));
  return `[${items.join(',')}]`;
}

/** Consumes the closing bracket, or the comma before the next item. */
function leave(scan: Scan, close: string, isFirst: boolean): boolean {
  skipSpace(scan);
  const next = scan.text.charAt(scan.at);
  if (next === close) {
    scan.at++;
    return true;
  }
  if (isFirst) return false;
  if (next !== ',') throw new JsonScanError('syntax', scan.at);
  scan.at++;
  skipSpace(scan);
  return false;
}

/**
 * A string that is canonical as it is written: no control characters, no lone surrogates, and no unnecessary escapes. The
 * number of repetitions is limited, because each takes memory while matching.
 */
const CANONICAL_STRING =
  // eslint-disable-next-line no-control-regex -- a JSON string may hold no control character
  /"[^"\\\u0000-\u001f\ud800-\udfff]*(?:(?:\\["\\bfnrt]|[\ud800-\udbff][\udc00-\udfff])[^"\\\u0000-\u001f\ud800-\udfff]*){0,1000}"/y;

function readString(scan: Scan): string {
  const start = scan.at;
  CANONICAL_STRING.lastIndex = start;
  if (CANONICAL_STRING.test(scan.text)) {
    scan.at = CANONICAL_STRING.lastIndex;
    return scan.text.slice(start, scan.at);
  }
  scan.at = stringEnd(scan.text, start);
  return canonicalString(scan.text.slice(start, scan.at), start);
}

/** The offset after the closing quote. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return at + 1;
    if (character === '\\') at++;
    else if (character < ' ') throw new JsonScanError(character === '\0' ? 'character' : 'syntax', at);
  }
  throw new JsonScanError('syntax', text.length);
}

function canonicalString(token: string, start: number): string {
  let value: string;
  try {
    // The token begins and ends with a quote, so the result is a string.
    value = JSON.parse(token) as string;
  } catch {
    throw new JsonScanError('syntax', start);
  }
  if (value.includes('\0') || !value.isWellFormed()) throw new JsonScanError('character', start);
  return JSON.stringify(value);
}

const PLAIN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function readPlain(scan: Scan): string {
  PLAIN.lastIndex = scan.at;
  if (!PLAIN.test(scan.text)) throw new JsonScanError('syntax', scan.at);
  const token = scan.text.slice(scan.at, PLAIN.lastIndex);
  scan.at = PLAIN.lastIndex;
  return token;
}

const QUOTE = 34;

/** The end of the scalar that begins here; -1 if there is none, or if it is not written in canonical form. */
export function scalarEnd(text: string, at: number): number {
  const pattern = text.charCodeAt(at) === QUOTE ? CANONICAL_STRING : PLAIN;
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const SPACE = /[ \t\n\r]*/y;

function skipSpace(scan: Scan): void {
  if (scan.text.charCodeAt(scan.at) > 32) return;
  SPACE.lastIndex = scan.at;
  SPACE.test(scan.text);
  scan.at = SPACE.lastIndex;
}
