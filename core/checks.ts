// The words of checks and events that every layer shares.

export const CHECK_TRIGGERS = ['schedule', 'manual', 'created'] as const;
export type CheckTrigger = (typeof CHECK_TRIGGERS)[number];

export type CheckOutcome = 'changed' | 'unchanged' | 'held' | 'failed';

/** A warning about the data of a check: how often, and where for example. */
export interface CheckWarning {
  code: string;
  count: number;
  samples: string[];
}

/** What a record may be given, as core/delta/model.ts has them. */
export const FORMATS = ['csv', 'tsv', 'jsonl', 'json'] as const;
export type Format = (typeof FORMATS)[number];

export type RecordStatus = 'active' | 'paused';
