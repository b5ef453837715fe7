// Things worth telling about a body that do not fail its check: counted, with a few samples.

type WarningCode =
  /** Rows with fewer cells than the header: they lack the last columns. */
  | 'ragged_rows'
  /** Rows with more cells than the header: the extra ones are in columns called column_N. */
  | 'extra_cells'
  /** Lines above the header that are not blank: they are no rows. */
  | 'lines_above_header'
  /** Columns that got a suffix because their name was taken. */
  | 'duplicate_header'
  /** Columns without a name, called column_N. */
  | 'empty_header'
  /** Rows whose key an earlier row had: the last one counts. */
  | 'duplicate_key'
  /** Arrays of objects in a JSON document that were not taken for its rows: a longer one was. */
  | 'other_arrays'
  /** Members that a JSON object had before: the last one counts. */
  | 'duplicate_member'
  /** The origin names another charset than it did: the name, and what the body was read as. */
  | 'charset_changed'
  /** Rows in which a key field is missing, null or empty: its text in the key is empty. */
  | 'empty_key';

export interface Warning {
  code: WarningCode;
  count: number;
  /** The first few places: row numbers, columns or keys. */
  samples: string[];
}

export interface Warnings {
  add(code: WarningCode, sample: string): void;
  list(): Warning[];
}

const MAX_SAMPLES = 5;
const MAX_SAMPLE_LENGTH = 100;

export function createWarnings(): Warnings {
  const byCode = new Map<WarningCode, Warning>();
  return {
    add(code, sample) {
      const warning = byCode.get(code) ?? { code, count: 0, samples: [] };
      warning.count++;
      if (warning.samples.length < MAX_SAMPLES) warning.samples.push(shorten(sample));
      byCode.set(code, warning);
    },
    list: () => [...byCode.values()],
  };
}

/** Cuts a name or key to a length fit for messages, never through a surrogate pair. */
export function shorten(text: string): string {
  return text.length <= MAX_SAMPLE_LENGTH ? text : `${text.slice(0, MAX_SAMPLE_LENGTH - 1).toWellFormed()}…`;
}
