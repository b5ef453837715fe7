// What a faster way to read all rows of a body gives than parsing them. core/delta/raw/scan-body.ts is one. It may give up: then
// the rows are parsed.
import type { Dialect, RowLimits } from '../model.ts';
import type { FieldProfile, OpenProfile } from './field-profile.ts';

/** The rows of a body without a warning about any of them. */
export interface ScannedRows {
  rowCount: number;
  /** Undefined unless the scan keeps it. */
  index: RowsIndex | undefined;
}

/** Rows in the form of a row index. */
export interface RowsIndex {
  rowCount: number;
  entries: Uint8Array;
  /** Of the hashes, in hexadecimal. */
  seed: string;
  /** Of the header and what is above it. */
  headerSha256: string | null;
}

export interface StartedProfiles {
  columns: readonly string[];
  /** As they are after the first rows. They are not changed. */
  fields: readonly OpenProfile[];
  rows: number;
  /** Drops the tables that memory has no room for. */
  budget: Budget;
}

export interface Budget {
  isExceeded: (fields: readonly FieldProfile[]) => boolean;
  drop: (fields: readonly FieldProfile[]) => void;
}

/** A row whose key is complete. */
export interface WrittenRow {
  /** Undefined without key fields. */
  key: string | undefined;
  /** SHA-256 of the canonical form, in hexadecimal. */
  digest: string;
  /** As it is stored, in UTF-8. */
  data: Uint8Array;
}

/** Each undefined when the rows must be parsed. */
export interface BodyScan {
  /** Profiles the fields over all rows. */
  profile: (
    started: StartedProfiles,
  ) => Promise<{ scanned: ScannedRows; fields: FieldProfile[] } | undefined>;
  /** Reads all keys. @returns `unfit` when one is incomplete or repeats */
  surveyKeys: (
    columns: readonly string[],
    keyFields: readonly string[],
  ) => Promise<{ scanned: ScannedRows; hasKey: (key: string) => boolean } | 'unfit' | undefined>;
  /**
   * Reads rows as they are stored, up to the first one that must be parsed. Keys may repeat. Data is valid until the rows after it
   * are read.
   * @returns whether these are all rows
   */
  writeRows: (
    columns: readonly string[],
    keyFields: readonly string[],
  ) => AsyncGenerator<WrittenRow[], boolean, undefined>;
}

/** @param open starts to read the decompressed body @returns undefined when no body in this dialect can be scanned */
export type OpenScan = (
  open: () => AsyncIterable<Uint8Array>,
  dialect: Dialect,
  ignoreFields: readonly string[],
  limits: RowLimits,
) => BodyScan | undefined;
