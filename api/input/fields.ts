// Schemas of fields that several operations share.
import { Type } from 'typebox';
import { QUIET_HOURS } from '../../core/deliveries.ts';
import { QUOTINGS } from '../../core/delta/model.ts';
import { PAIRINGS } from '../../core/delta/pair-similar.ts';
import { CHANGE_TYPES } from '../../db/rows/delta-rows.ts';
import { type PageLimits, USUAL_LIMITS } from './page.ts';

/** No control characters and no unpaired surrogates. */
const PRINTABLE = '^[^\\p{Cc}\\p{Cs}]*$';

const recordReference = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,100}$',
  description: 'Id or slug of a record; `self` with a credential for one record.',
});

/** An id, in a path or as a parameter. Anything of another form cannot exist. */
export const idInPath = (prefix: string) => Type.String({ pattern: `^${prefix}_[0-9a-f]{32}$` });

export const recordParams = { id: recordReference };

export const accountWebhookParams = { webhookId: idInPath('wh') };

export const webhookParams = { ...recordParams, ...accountWebhookParams };

export const checkParams = { ...recordParams, checkId: idInPath('chk') };

export const accountDeliveryParams = { ...accountWebhookParams, deliveryId: idInPath('dlv') };

export const deliveryParams = { ...recordParams, ...accountDeliveryParams };

/** A row key, percent-encoded, of at most 1,024 bytes. */
export const rowKeyInPath = Type.String({
  maxLength: 1_024,
  pattern: '^[^\\u0000\\p{Cs}]*$',
  description: 'A row’s key, percent-encoded.',
});

export const snapshotReference = Type.String({
  pattern: '^(latest|snap_[0-9a-f]{32})$',
  description: 'the id of a snapshot, or `latest`',
});

export const snapshotParams = { ...recordParams, snapshotId: snapshotReference };

export const eventReference = Type.String({
  pattern: '^(latest|evt_[0-9a-f]{32})$',
  description: 'the id of a delta event, or `latest`',
});

const limitField = ({ fallback, max }: PageLimits) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Items in a page: ${fallback} by default, ${max} at most (more counts as ${max}).`,
    }),
  );

const cursor = Type.String({
  // For a row key of 1,024 bytes, each of which may take six in JSON.
  maxLength: 10_000,
  // Documented only: opening the cursor reports a better error than the pattern would.
  statedPattern: '^[A-Za-z0-9_-]*$',
  description: '`nextCursor` of the previous page; empty or omitted for the first page.',
});

/** For listings with a fixed order (rows: by key). */
export const pageQuery = { limit: limitField(USUAL_LIMITS), cursor: Type.Optional(cursor) };

/** The parameter `limit` of a listing with limits of its own. */
export const limitOf = (limits: PageLimits) => ({ limit: limitField(limits) });

/** For listings by time, newest first by default. */
export const orderedPageQuery = {
  ...pageQuery,
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: '`desc` (newest first) by default.' })),
};

/** Keys shown with an event or a comparison. */
export const MAX_KEYS = 1_000;

export const keysLimitField = (max: number) =>
  Type.Integer({
    minimum: 0,
    description: `Keys of each kind to show: 100 by default, ${max} at most (more counts as ${max}).`,
  });

export const changeTypeField = Type.Enum([...CHANGE_TYPES], { description: 'Only rows of this type.' });

export const nameField = Type.String({
  // Requires a visible character. No look-ahead, which not all clients' regular expressions support.
  pattern: '^[^\\p{Cc}\\p{Cs}]*[^\\s\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*$',
  maxLength: 200,
  description: 'printable text of at most 200 characters',
});

export const slugField = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 63,
  description: 'lower-case letters and digits in groups joined by single hyphens, at most 63 characters',
});

export const urlField = Type.String({
  minLength: 1,
  maxLength: 2_048,
  pattern: PRINTABLE,
  description: 'a complete http or https URL',
});

/** Where a webhook sends to. */
export const endpointField = Type.String({
  minLength: 1,
  maxLength: 2_048,
  pattern: PRINTABLE,
  description:
    'a complete http or https URL, or for mails `mailto:` and the address of a user of the account',
});

/** A column name: any text that a row can contain. */
export const columnField = Type.String({
  pattern: '^[^\\u0000\\p{Cs}]+$',
  maxLength: 1_000,
  description: 'the name of a column',
});

export const delimiterField = Type.String({
  // In the basic multilingual plane, without surrogates.
  pattern: '^[\\u0001-\\t\\v\\f\\u000e-!#-\\ud7ff\\ue000-\\uffff]$',
  description: 'one character other than a quote or a line end',
});

export const headerRowField = Type.Integer({
  minimum: 0,
  maximum: 1_000,
  description: 'line of the header in CSV or TSV, from 1, counting blank lines; 0: none',
});

export const quotingField = Type.Enum([...QUOTINGS], {
  description:
    'whether a cell of CSV or TSV may be in quotes (`double`, the default); `none`: a quote is an ordinary character',
});

export const pairingField = Type.Enum([...PAIRINGS], {
  description:
    'shows an edited row without a key as changed, if one deleted and one new row are alike; null: such rows do not pair',
});

export const recordQuietHoursField = Type.Integer({
  minimum: QUIET_HOURS.min,
  maximum: QUIET_HOURS.max,
  description: 'after how many hours without a change the feed has an event `record.quiet`; null: never',
});

/** In the syntax of core/delta/json/parse-json.ts. */
export const rowsPathField = Type.String({
  pattern: '^[^\\u0000\\p{Cs}]*$',
  maxLength: 1_000,
  description:
    'the path of the array of rows in a JSON document: names of members, joined by dots; empty: the root',
});
