// A page of rows for an export, as the database returns them.

export interface RowPage {
  /** The rows' JSON object texts in UTF-8, possibly with other bytes around them. */
  bytes: Uint8Array;
  /** Start and end of each row: start, end, start, end … */
  spans: readonly number[];
}
