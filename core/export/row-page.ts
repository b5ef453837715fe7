// Rows on their way out: as the database holds them, many at a time.

export interface RowPage {
  /** Holds the rows' JSON object texts in UTF-8, and possibly other bytes around them. */
  bytes: Uint8Array;
  /** Where each row begins and where it ends: start, end, start, end … */
  spans: readonly number[];
}
