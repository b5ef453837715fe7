// Arguments that several tools share, described for models.
import { Type } from 'typebox';
import { changeTypeField } from '../../input/fields.ts';
import type { PageLimits } from '../../input/page.ts';
import { requiredLabelsField } from '../../input/labels.ts';
import { filterField, searchField } from '../../input/row-selection.ts';

export const sourceField = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,100}$',
  description: 'Id or slug of the source.',
});

const snapshotId = Type.String({
  pattern: '^(latest|snap_[0-9a-f]{32})$',
  description: 'Id of a snapshot, or latest.',
});

export const snapshotField = Type.Optional({
  ...snapshotId,
  description: 'Id of a snapshot; latest by default.',
});

export const requiredSnapshotField = snapshotId;

export const eventField = Type.String({
  pattern: '^evt_[0-9a-f]{32}$',
  description: 'Id of a delta event.',
});

export const changeType = Type.Optional(changeTypeField);

export const orderField = Type.Optional(
  Type.Enum(['asc', 'desc'], { description: 'desc (newest first) by default.' }),
);

export const sinceField = Type.String({
  maxLength: 100,
  description: 'ISO 8601 time such as 2026-01-31T12:00:00Z, a date, or the id of an event; exclusive.',
});

const limitField = ({ fallback, max }: PageLimits) =>
  Type.Optional(
    Type.Integer({ minimum: 1, description: `How many: ${fallback} by default, ${max} at most.` }),
  );

const cursorField = Type.Optional(
  Type.String({ maxLength: 10_000, description: 'nextCursor of the previous page.' }),
);

export const pageFields = (limits: PageLimits) => ({ limit: limitField(limits), cursor: cursorField });

/** The limit for the operation: a larger one is reduced to the maximum. */
export const limitArgument = ({ fallback, max }: PageLimits, limit: number = fallback): number =>
  Math.min(limit, max);

/** How long a tool waits for a check. Most take a second or two. */
const WAIT_SECONDS = { fallback: 20, max: 55 } as const;

export const waitField = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: WAIT_SECONDS.max,
    description: `Seconds to wait for the check: ${WAIT_SECONDS.fallback} by default.`,
  }),
);

export const waitMs = (seconds: number = WAIT_SECONDS.fallback): number => seconds * 1_000;

export const filterArgument = Type.Optional({
  ...filterField,
  description:
    'Operators by column, all of which must hold: {"price": {"gt": "10"}}. Values are text. eq, ne, in, contains and startsWith compare text exactly; gt, gte, lt and lte compare plain numbers as numbers, else as text. exists: the row has the column; empty: missing, null or empty.',
});

export const searchArgument = Type.Optional({
  ...searchField,
  description: 'Rows with this text in a value or in the key, ignoring case.',
});

export const labelsArgument = Type.Optional({
  ...requiredLabelsField,
  description: 'Only sources with all of these labels: {"team": "web"}.',
});

/** The same for operations. */
export const labelQueryOf = (labels?: Readonly<Record<string, string>>): { label?: string[] } =>
  labels === undefined ? {} : { label: Object.entries(labels).map(([name, value]) => `${name}:${value}`) };
