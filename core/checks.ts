// Terms of checks that every layer shares.

/** `settings`: the stored body was read again under a new rule. `accepted`: a person accepted a held body. */
export const CHECK_TRIGGERS = ['schedule', 'manual', 'created', 'settings', 'accepted'] as const;
export type CheckTrigger = (typeof CHECK_TRIGGERS)[number];

/** Whether a check with this trigger sends a request to the origin. The others read a stored body. */
export const asksOrigin = (trigger: CheckTrigger): boolean =>
  trigger !== 'settings' && trigger !== 'accepted';

/** The first scheduled check of a record has the trigger `created`. */
export const triggerOf = (
  { lastCheckedAt }: { lastCheckedAt: Date | null },
  { trigger }: { trigger: CheckTrigger },
): CheckTrigger => (trigger === 'schedule' && lastCheckedAt === null ? 'created' : trigger);

export type CheckOutcome = 'changed' | 'unchanged' | 'held' | 'failed';

/** A warning about the data of a check, with its count and examples. */
export interface CheckWarning {
  code: string;
  count: number;
  samples: string[];
}

/** What an origin answered to a check that failed. Nothing in it may contain a credential. */
export interface OriginAnswer {
  /** After redirects, without a query that the record's URL does not have. */
  url: string | null;
  /** Without parameters: `text/html`. */
  contentType: string | null;
  /** The first characters of the body in one line; null when it is empty, no text, or may contain a secret. */
  beginning: string | null;
}

/** Formats that a record may be set to; the same as in core/delta/model.ts. */
export const FORMATS = ['csv', 'tsv', 'jsonl', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** A person's decision on a held check. */
export const CHECK_DECISIONS = ['accepted', 'rejected'] as const;
export type CheckDecision = (typeof CHECK_DECISIONS)[number];

export type RecordStatus = 'active' | 'paused';
