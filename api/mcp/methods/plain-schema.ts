// Shortens schemas for models, which read the tool list before every conversation: drops what only the reference
// documentation needs. The short schema allows everything that the full one allows, and the server validates against the
// full one.

type Schema = Readonly<Record<string, unknown>>;

interface Rules {
  leftOut: ReadonlySet<string>;
  maxValues: number;
  /** Whether a nullable string is written as `type: [string, null]`, which not every model's API supports. */
  isShort: boolean;
}

/** Descriptions say the same as patterns, some of which need flags that not every client sets. */
const LEFT_OUT = [
  'examples',
  'title',
  'writeOnly',
  'format',
  'pattern',
  'statedPattern',
  'minLength',
  'maxLength',
  'uniqueItems',
  'propertyNames',
];

const INPUT: Rules = { leftOut: new Set(LEFT_OUT), maxValues: Infinity, isShort: false };
/** Readers of an answer see its contents, and do not need a list of all error codes. */
const OUTPUT: Rules = {
  leftOut: new Set([...LEFT_OUT, 'required', 'minimum', 'maximum']),
  maxValues: 6,
  isShort: true,
};

export const plainInput = (schema: object): object => plain(schema, INPUT);

export const plainOutput = (schema: object): object => plain(schema, OUTPUT);

function plain(schema: object, rules: Rules): Schema {
  if ('statedAs' in schema) return { type: 'object', description: schema.statedAs };
  const kept = Object.entries(schema).filter(([keyword]) => !rules.leftOut.has(keyword));
  const walked = kept.map(([keyword, value]: [string, unknown]) => [
    keyword,
    plainKeyword(keyword, value, rules),
  ]);
  const told = values(Object.fromEntries(walked) as Schema, rules);
  return rules.isShort ? shortNullable(told) : told;
}

function plainKeyword(keyword: string, value: unknown, rules: Rules): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => plainKeyword('', each, rules));
  if (typeof value !== 'object' || value === null) return value;
  // Members of any name: their description is on the object.
  if (keyword === 'additionalProperties') return plain(value, undescribed(rules));
  if (keyword !== 'properties') return plain(value, rules);
  // Members may be named like keywords.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, object]) => [name, plain(member, rules)]),
  );
}

const undescribed = ({ leftOut, ...rules }: Rules): Rules => ({
  ...rules,
  leftOut: new Set([...leftOut, 'description']),
});

/** A list of strings has the type string, which some clients require to be stated. */
function values({ enum: listed, ...rest }: Schema, { maxValues }: Rules): Schema {
  if (!Array.isArray(listed)) return listed === undefined ? rest : { ...rest, enum: listed };
  return { type: 'string', ...(listed.length > maxValues ? {} : { enum: listed }), ...rest };
}

function shortNullable({ anyOf, ...rest }: Schema): Schema {
  if (!Array.isArray(anyOf)) return rest;
  const [one, other, ...more] = anyOf as Schema[];
  const isShort =
    one !== undefined && more.length === 0 && other?.['type'] === 'null' && typeof one['type'] === 'string';
  if (!isShort) return { anyOf, ...rest };
  const { enum: listed } = one;
  const withNull = Array.isArray(listed) ? { enum: [...(listed as unknown[]), null] } : {};
  return { ...one, type: [one['type'], 'null'], ...withNull, ...rest };
}
