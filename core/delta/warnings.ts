// Warnings about a body that do not fail its check, counted, with a few samples.

type WarningCode =
  /** Rows with fewer cells than the header. They lack the last columns. */
  | 'ragged_rows'
  /** Rows with more cells than the header. The extra cells are in columns called column_N. */
  | 'extra_cells'
  /** Lines above the header that are not blank. They are skipped. */
  | 'lines_above_header'
  /** Columns whose name was taken, so that they got a suffix. */
  | 'duplicate_header'
  /** Columns without a name, called column_N. */
  | 'empty_header'
  /** Rows with the key of an earlier row. The last one counts. */
  | 'duplicate_key'
  /** Arrays of objects in a JSON document beside the detected one. Changes in them are not seen. */
  | 'other_arrays'
  /** Repeated members of a JSON object. The last one counts. */
  | 'duplicate_member'
  /** The origin names another charset than before. The sample has the name, and the charset that was used. */
  | 'charset_changed'
  /** Rows in which a key field is missing, null or empty. */
  | 'empty_key'
  /** Rows without a key that were not paired, because there are too many: unpairedRows. */
  | 'unpaired_rows';

export interface Warning {
  code: WarningCode;
  count: number;
  /** The first few locations: row numbers, columns or keys. */
  samples: string[];
}

export interface Warnings {
  add(code: WarningCode, sample: string): void;
  list(): Warning[];
}

/** @param counts of the rows that could have been pairs */
export const unpairedRows = ({ deleted, new: added }: { deleted: number; new: number }): Warning => ({
  code: 'unpaired_rows',
  count: deleted + added,
  samples: [`${deleted} deleted`, `${added} new`],
});

const MAX_SAMPLES = 5;
const MAX_SAMPLE_LENGTH = 100;

/** @param unneeded codes that are not collected */
export function createWarnings(unneeded: readonly WarningCode[] = []): Warnings {
  const byCode = new Map<WarningCode, Warning>();
  return {
    add(code, sample) {
      if (unneeded.includes(code)) return;
      const warning = byCode.get(code) ?? { code, count: 0, samples: [] };
      warning.count++;
      if (warning.samples.length < MAX_SAMPLES) warning.samples.push(shorten(sample));
      byCode.set(code, warning);
    },
    list: () => [...byCode.values()],
  };
}

/** Shortens a name or key for messages, never within a surrogate pair. */
export function shorten(text: string): string {
  return text.length <= MAX_SAMPLE_LENGTH ? text : `${text.slice(0, MAX_SAMPLE_LENGTH - 1).toWellFormed()}…`;
}
