// The words of checks and events that every layer shares.

/** `settings`: the stored body was read again under other key or ignored fields; `accepted`: a held body, by a person. */
export const CHECK_TRIGGERS = ['schedule', 'manual', 'created', 'settings', 'accepted'] as const;
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

/** What a person said of a held check. */
export const CHECK_DECISIONS = ['accepted', 'rejected'] as const;
export type CheckDecision = (typeof CHECK_DECISIONS)[number];

export type RecordStatus = 'active' | 'paused';
