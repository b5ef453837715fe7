// Generates requests to an operation from its schemas: valid ones, ones with a single fault, and nonsense. Ids in the database
// are written as placeholders `@@name@@`, so that a repeated request means the same.
import fc from 'fast-check';
import { bodyExamples } from '../../../api/openapi/examples.ts';
import type { Operation } from '../../../api/contract/operation.ts';
import { HOSTILE_BODIES, HOSTILE_PIECES, HOSTILE_TEXTS, HOSTILE_VALUES } from './hostile-values.ts';

/** The objects in the database that placeholders name. */
export type Placeholder =
  | 'record'
  | 'slug'
  | 'foreign'
  | 'event'
  | 'snapshot'
  | 'oldSnapshot'
  | 'webhook'
  | 'delivery'
  | 'check'
  | 'key'
  | 'recordKey'
  | 'connectedClient'
  | 'token'
  | 'link'
  | 'cursor'
  | 'canary';

export interface FuzzedRequest {
  credential: 'full' | 'read' | 'download' | 'record' | 'session' | 'none' | 'broken';
  /** With placeholders, percent-encoded where they need it. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** With placeholders; undefined sends none. */
  body: string | Buffer | undefined;
}

interface Schema {
  type?: 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object' | 'string';
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: Schema | boolean;
  required?: readonly string[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const at = (name: Placeholder): string => `@@${name}@@`;

/** Meaningful values, by the name of a parameter or member. */
const MEANINGS: Readonly<Record<string, readonly unknown[]>> = {
  id: [at('record'), at('record'), at('record'), at('slug'), 'self', at('foreign')],
  deltaEventId: [at('event'), at('event'), 'latest'],
  snapshotId: [at('snapshot'), at('oldSnapshot'), 'latest'],
  webhookId: [at('webhook')],
  deliveryId: [at('delivery')],
  checkId: [at('check')],
  keyId: [at('key'), at('recordKey')],
  connectedClientId: [at('connectedClient')],
  key: ['a', 'a', 'ü', '__proto__', 'b'],
  cursor: [at('cursor')],
  since: [at('event'), '2026-01-01', '2020-01-01T00:00:00Z', '2026-01-01T00:00:00+02:00'],
  until: [at('event'), '2099-01-01', '2020-01-01T00:00:00Z'],
  from: [at('oldSnapshot'), at('snapshot'), 'latest'],
  to: [at('snapshot'), 'latest'],
  url: ['https://example.com/data.csv', 'http://example.com:8080/x?y=1#z', 'https://ünïcode.example/'],
  name: ['Prices', 'Ünïcode 👍'],
  slug: ['prices', 'a-1'],
  field: ['id', 'price', 'nothing', '__proto__'],
  changedField: ['id', 'price', 'nothing', '__proto__'],
  column: ['id', 'price', 'nothing', '__proto__'],
  groupBy: [['price'], ['id', 'price'], ['nothing']],
  search: ['1', 'é', '%', '_'],
  token: [at('token'), at('link'), at('canary')],
  signature: [at('canary')],
  expiresAt: ['2099-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
};

const SECRET_NAMES = ['secret', 'authPassword', 'authToken', 'authHeaderValue', 'authQueryValue'];
const COLUMNS = ['id', 'price', '__proto__', 'a][b', 'nothing'];

/** Values that mostly satisfy a schema. */
function valuesOf(name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (SECRET_NAMES.includes(name)) return fc.constant(at('canary'));
  const known = MEANINGS[name];
  const made = madeFrom(name, schema);
  return known === undefined ? made : fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...known) }, made);
}

function madeFrom(name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => valuesOf(name, one)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  const { minimum = 0, maximum = 5_000, minItems = 0, maxItems = 5 } = schema;
  switch (schema.type) {
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(name, schema.items ?? {}), {
        minLength: minItems,
        maxLength: Math.min(maxItems, 5),
      });
    case 'object':
      return objectsOf(schema);
    case 'string':
      return textsOf(schema);
    case undefined:
  }
  return fc.jsonValue();
}

function objectsOf({ properties = {}, additionalProperties, required = [] }: Schema): fc.Arbitrary<Fields> {
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valuesOf(name, schema)])),
    { requiredKeys: required.filter((name) => name in properties) },
  );
  if (typeof additionalProperties !== 'object') return known;
  const more = fc.dictionary(fc.constantFrom(...COLUMNS), valuesOf('', additionalProperties), { maxKeys: 3 });
  return fc.tuple(known, more).map(([fields, others]) => ({ ...fields, ...others }));
}

function textsOf({ pattern, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  const length = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) };
  const any = fc.oneof(fc.string(length), fc.string({ unit: 'grapheme', ...length }));
  if (pattern === undefined) return any;
  try {
    return fc.oneof(fc.stringMatching(new RegExp(pattern, 'u')), any);
  } catch {
    // fast-check does not support lookaheads and Unicode classes.
    return any;
  }
}

const hostileText = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary' }));
const hostileValue = fc.oneof(fc.constantFrom(...HOSTILE_VALUES), fc.jsonValue(), hostileText);
const hostilePiece = fc.constantFrom(...HOSTILE_PIECES);

/** An object, or the same with one fault: a member omitted, added or replaced. */
function spoiled(fields: fc.Arbitrary<Fields>, names: readonly string[]): fc.Arbitrary<Fields> {
  const name = fc.oneof(fc.constantFrom(...(names.length === 0 ? ['x'] : names)), hostileText);
  const drop = fc.tuple(fields, name).map(([all, one]) => without(all, one));
  const replace = fc
    .tuple(fields, name, hostileValue)
    .map(([all, one, value]) => withMember(all, one, value));
  return fc.oneof({ weight: 3, arbitrary: fields }, drop, { weight: 3, arbitrary: replace });
}

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name));
}

/** Object.fromEntries makes `__proto__` an ordinary member. */
function withMember(fields: Fields, name: string, value: unknown): Fields {
  return Object.fromEntries([...Object.entries(fields), [name, value]]);
}

function bodiesOf(operation: Operation): fc.Arbitrary<FuzzedRequest['body']> {
  const nothing = fc.constantFrom(undefined, undefined, '{}');
  const nonsense = fc.constantFrom(...HOSTILE_BODIES);
  if (operation.body === null) {
    return operation.http.method === 'GET'
      ? fc.constant(undefined)
      : fc.oneof({ weight: 4, arbitrary: nothing }, nonsense);
  }
  // TypeBox schemas are JSON Schema. This type is the part that ours use.
  const schema = operation.body as Schema;
  const examples = Object.values(bodyExamples(operation.name)) as Fields[];
  const right = fc.oneof(objectsOf(schema), ...examples.map((example) => fc.constant(example)));
  const one = spoiled(right, Object.keys(schema.properties ?? {}));
  const text = one.map((fields) => JSON.stringify(fields));
  const twice = fc
    .tuple(one, one)
    .map(([a, b]) => `${JSON.stringify(a).slice(0, -1)},${JSON.stringify(b).slice(1)}`);
  const cut = fc.tuple(text, fc.nat()).map(([whole, end]) => whole.slice(0, end % (whole.length + 1)));
  return fc.oneof({ weight: 16, arbitrary: text }, twice, cut, { weight: 2, arbitrary: nonsense });
}

function pathsOf({ http, params }: Operation): fc.Arbitrary<string> {
  const parts = http.path.split('/').map((part): fc.Arbitrary<string> => {
    if (!part.startsWith(':')) return fc.constant(part);
    const name = part.slice(1);
    const right = valuesOf(name, (params.properties[name] ?? {}) as Schema).map((value) =>
      encoded(String(value)),
    );
    return fc.oneof({ weight: 25, arbitrary: right }, hostilePiece);
  });
  return fc.tuple(...parts).map((all) => all.join('/'));
}

function queriesOf({ query }: Operation): fc.Arbitrary<string> {
  const names = Object.keys(query.properties);
  const any = objectsOf(query);
  // A cursor seldom fits, and its error hides later ones.
  const right = fc.oneof({ weight: 4, arbitrary: any.map((fields) => without(fields, 'cursor')) }, any);
  const name = fc.oneof(fc.constantFrom(...(names.length === 0 ? ['x'] : names)), hostilePiece);
  const odd = fc.tuple(name, hostilePiece).map(([left, value]) => `${left}=${value}`);
  const extra = fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    fc.array(odd, { minLength: 1, maxLength: 2 }),
  );
  return fc.tuple(right, extra, fc.nat(20)).map(([fields, more, repeat]) => {
    const pairs = Object.entries(fields).flatMap(pairsOf);
    const all = [...pairs, ...more, ...(repeat === 0 ? pairs : [])];
    return all.length === 0 ? '' : `?${all.join('&')}`;
  });
}

/** Writes one parameter of a query: lists are repeated, members of objects have brackets. */
function pairsOf([name, value]: [string, unknown]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pairsOf([name, item]));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => pairsOf([`${name}[${key}]`, inner]));
  }
  return [`${encoded(name)}=${encoded(String(value))}`];
}

/** Percent-encodes a text. Placeholders stay, and unpaired surrogates are replaced. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%40%40', '@@');
}

const HEADERS: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  fc.constantFrom<Readonly<Record<string, string>>>(
    { 'idempotency-key': 'repeated' },
    { 'idempotency-key': 'ü' },
    { 'idempotency-key': 'x'.repeat(300) },
    { 'if-none-match': '*' },
    { 'if-none-match': '"a", W/"b"' },
    { 'if-none-match': '"' },
    { prefer: 'wait=0' },
    { prefer: 'wait=99999999999999' },
    { prefer: 'respond-async, wait=x' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-encoding': 'gzip' },
    { 'x-request-id': '<script>' },
    { 'x-forwarded-for': "127.0.0.1, ' or 1=1" },
    { accept: 'text/html' },
    { range: 'bytes=5-1' },
    { origin: 'null' },
    { 'x-http-method-override': 'DELETE' },
  ),
);

const CREDENTIALS: fc.Arbitrary<FuzzedRequest['credential']> = fc.oneof(
  { weight: 15, arbitrary: fc.constant('full' as const) },
  fc.constantFrom('read', 'download', 'record', 'session', 'none', 'broken'),
);

/** Any request to an operation. */
export function requestsTo(operation: Operation): fc.Arbitrary<FuzzedRequest> {
  return fc
    .record({
      credential: CREDENTIALS,
      path: pathsOf(operation),
      query: queriesOf(operation),
      headers: HEADERS,
      body: bodiesOf(operation),
    })
    .map(({ path, query, ...rest }) => ({ ...rest, url: `${path}${query}` }));
}
