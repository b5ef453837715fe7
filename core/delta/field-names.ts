// Guesses the role of a field from its name.

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const KEY_WORDS = list(
  'id uuid guid uid sku key code gtin ean upc isbn issn asin slug symbol ticker isin cusip lei doi iata icao fips iso url uri link permalink email hostname domain barcode identifier codigo código nummer kennung clave',
);
/** Fields that change, count rows or are measured. They never identify a row, even if they are unique today. */
const CHANGING_WORDS = list(
  'updated modified changed lastmod fetched retrieved checked price amount cost quantity qty stock score rank count views index row line position obs observation pop population yield value total sum mean avg average median min max rate ratio percent pct perc share latitude longitude lat lon lng weight height length width area size temp temperature volume income gdp revenue sales salary distance speed elevation altitude result winner freq frequency',
);
/** Attributes, which two rows may share later. */
const ATTRIBUTE_WORDS = list(
  'surname forename firstname lastname nickname comment comments note notes description remark remarks text message summary abstract address street phone status customer client contact owner author director manager',
);
const NAME_PARTS = list('first last given middle family maiden');
const TIME_WORDS = list(
  'date datetime time timestamp year years yr month months mon day week quarter qtr period hour datum jahr monat fecha año mes année mois',
);
/** Qualifiers of time words, as in “observation date”. */
const TIME_QUALIFIERS = list(
  'observation obs report reporting reference ref trade trading calendar fiscal of utc',
);
const ENTITY_WORDS = list(
  'name country nation state province county city town municipality district region territory station airport site location company firm species product item team player origin destination subject plot block variety symbol series entity indicator',
);
/** Numbers that may be part of a key, but never the whole key. */
const LEVEL_WORDS = list(
  'gender sex race ethnicity age level group grp round wave rep replicate run trial visit dose grade cohort class section lot batch',
);

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** An unnamed column usually numbers the rows; R writes such columns. */
const isUnnamed = (name: string): boolean =>
  /^(?:column_\d+|unnamed:? ?\d*|rownames|row\.names|x)$/i.test(name);

export type FieldPart =
  /** The whole name is an identifier: id, sku. */
  | 'key'
  /** product_id, licenseId */
  | 'ends-like-key'
  | 'time'
  | 'entity'
  /** Its numbers may be part of a key. */
  | 'level'
  | 'attribute'
  | 'changing'
  | 'unnamed'
  | 'plain';

/** Numbers the rows, so it changes when a row is removed. */
const COUNTS_ROWS = /^(?:row|line|index|rank|position)/i;

export function partOf(name: string): FieldPart {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word));
  if (isUnnamed(name)) return 'unnamed';
  if (KEY_WORDS.has(last) && !COUNTS_ROWS.test(words[0] ?? '')) {
    return words.length === 1 ? 'key' : 'ends-like-key';
  }
  const isTime = words.every((word) => TIME_WORDS.has(word) || TIME_QUALIFIERS.has(word));
  if (isTime && has(TIME_WORDS)) return 'time';
  if (has(CHANGING_WORDS)) return 'changing';
  if (has(ATTRIBUTE_WORDS) || (last === 'name' && has(NAME_PARTS))) return 'attribute';
  if (ENTITY_WORDS.has(last)) return 'entity';
  return LEVEL_WORDS.has(last) ? 'level' : 'plain';
}
