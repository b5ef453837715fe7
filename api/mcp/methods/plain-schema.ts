// Schemas as models are shown them, without what only the reference documentation needs: every word of a tool list is
// read before every conversation. What is shown allows all that the schema allows, and the server checks the rest.

type Schema = Readonly<Record<string, unknown>>;

interface Rules {
  leftOut: ReadonlySet<string>;
  maxValues: number;
  /** Whether "a text or null" is told in the short way, which not every model's own dialect knows. */
  isShort: boolean;
}

/** Patterns say to machines what the description says to all; some need flags that not every client sets. */
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
];

const INPUT: Rules = { leftOut: new Set(LEFT_OUT), maxValues: Infinity, isShort: false };
/** Who sees an answer sees what is in it; and needs no list of all codes of errors. */
const OUTPUT: Rules = {
  leftOut: new Set([...LEFT_OUT, 'required', 'minimum', 'maximum']),
  maxValues: 6,
  isShort: true,
};

export const plainInput = (schema: object): object => plain(schema, INPUT);

export const plainOutput = (schema: object): object => plain(schema, OUTPUT);

function plain(schema: object, rules: Rules): Schema {
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
  // Members of any name: what is said of all of them stands above.
  if (keyword === 'additionalProperties') return plain(value, undescribed(rules));
  if (keyword !== 'properties') return plain(value, rules);
  // Names of members, which may be those of keywords.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, object]) => [name, plain(member, rules)]),
  );
}

const undescribed = ({ leftOut, ...rules }: Rules): Rules => ({
  ...rules,
  leftOut: new Set([...leftOut, 'description']),
});

/** A list of texts is of the type string, which some clients want to be told. */
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
