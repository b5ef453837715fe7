// The settings of a record: their fields in request bodies, and the rules that a schema cannot express.
import { type Static, Type } from 'typebox';
import type { Config } from '../../core/config.ts';
import type { Quoting } from '../../core/delta/model.ts';
import type { Pairing } from '../../core/delta/pair-similar.ts';
import { type ColumnRules, NO_RULES, tidyRules } from '../../core/delta/rules/column-rules.ts';
import { type Format, FORMATS } from '../../core/checks.ts';
import { ApiError, type FieldError } from '../../core/errors.ts';
import { checkUrl } from '../../core/network/origin-url.ts';
import { type Reach, reachOf } from '../../core/network/reach.ts';
import {
  AUTH_FIELDS,
  AUTH_TYPES,
  authFaults,
  type AuthField,
  type GivenAuth,
} from '../../core/source-credentials.ts';
import { smallestIntervalSeconds, type Tier, TIERS } from '../../core/tiers.ts';
import { isReservedSlug, nameFromUrl } from './slugs.ts';
import type { NewRecord, TrackedRecord } from '../../db/records/records.ts';
import type { Services } from '../contract/context.ts';
import { ruleFaults, rulesField } from '../input/column-rules.ts';
import {
  columnField,
  delimiterField,
  headerRowField,
  quotingField,
  nameField,
  pairingField,
  recordQuietHoursField,
  rowsPathField,
  slugField,
  urlField,
} from '../input/fields.ts';
import { labelsField } from '../input/labels.ts';
import { nullable } from '../resources/shapes.ts';

export interface GivenSettings extends GivenAuth {
  url?: string;
  slug?: string;
  format?: Format;
  delimiter?: string;
  rowsPath?: string;
  headerRow?: number;
  quoting?: Quoting;
  keyFields?: readonly string[];
  ignoreFields?: readonly string[];
  rules?: ColumnRules;
  checkIntervalMinutes?: number;
}

/** A null setting counts as not given. */
function withoutNulls<G extends object>(given: G): { [K in keyof G]: Exclude<G[K], null> } {
  // All nulls are removed.
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as {
    [K in keyof G]: Exclude<G[K], null>;
  };
}

interface Rules {
  tier: Tier;
  config: Config;
  reach: Reach;
}

const DEFAULT_INTERVAL_SECONDS = 3_600;

/**
 * One hour, or more if the tier requires it. MIN_CHECK_SECONDS does not lower the default, so that no origin is checked more
 * often without a request.
 */
export function defaultIntervalSeconds(tier: Tier): number {
  return Math.max(TIERS[tier].minIntervalSeconds, DEFAULT_INTERVAL_SECONDS);
}

/**
 * Validates all given settings.
 * @returns the URL to store, if one was given
 * @throws ApiError validation_failed, or url_not_allowed if the URL is refused; with every error
 */
export function validateSettings(given: GivenSettings, rules: Rules): URL | undefined {
  const verdict = given.url === undefined ? undefined : checkUrl(given.url, reachOf(rules.reach, rules.tier));
  const errors = [
    ...intervalFaults(given, rules),
    ...slugFaults(given),
    ...formatFaults(given),
    ...fieldFaults(given),
    ...authFaults(given),
  ];
  if (verdict !== undefined && 'error' in verdict) {
    const { code, detail } = verdict.error;
    throw new ApiError(code, detail, { errors: [{ pointer: '/url', code, detail }, ...errors] });
  }
  const [first] = errors;
  if (first !== undefined)
    throw new ApiError('validation_failed', `${first.pointer} ${first.detail}.`, { errors });
  return verdict?.url;
}

function intervalFaults({ checkIntervalMinutes }: GivenSettings, { tier, config }: Rules): FieldError[] {
  const smallest = smallestIntervalSeconds(tier, config.minCheckSeconds) / 60;
  if (checkIntervalMinutes === undefined || checkIntervalMinutes >= smallest) return [];
  const minutes = Number(smallest.toPrecision(6));
  const detail = `must be at least ${minutes} on the tier ${tier}`;
  return [{ pointer: '/checkIntervalMinutes', code: 'too_small', detail }];
}

function slugFaults({ slug }: GivenSettings): FieldError[] {
  if (slug === undefined || !isReservedSlug(slug)) return [];
  return [{ pointer: '/slug', code: 'invalid_value', detail: 'is a reserved word' }];
}

function formatFaults({ format, delimiter, rowsPath, headerRow, quoting }: GivenSettings): FieldError[] {
  const isDelimited = format === undefined || format === 'csv' || (format === 'tsv' && delimiter === '\t');
  const errors: FieldError[] = [];
  if (delimiter !== undefined && !isDelimited) {
    errors.push({
      pointer: '/delimiter',
      code: 'invalid_value',
      detail: `cannot be used with the format ${format}`,
    });
  }
  if (headerRow !== undefined && (format === 'json' || format === 'jsonl')) {
    const detail = `cannot be used with the format ${format}`;
    errors.push({ pointer: '/headerRow', code: 'invalid_value', detail });
  }
  if (quoting === 'none' && (format === 'json' || format === 'jsonl')) {
    const detail = `cannot be none with the format ${format}`;
    errors.push({ pointer: '/quoting', code: 'invalid_value', detail });
  }
  if (rowsPath && format !== undefined && format !== 'json') {
    errors.push({
      pointer: '/rowsPath',
      code: 'invalid_value',
      detail: `cannot be used with the format ${format}`,
    });
  }
  return errors;
}

function fieldFaults({ keyFields = [], ignoreFields = [], rules = NO_RULES }: GivenSettings): FieldError[] {
  const ignored = ignoreFields.flatMap((field, index) =>
    keyFields.includes(field)
      ? [{ pointer: `/ignoreFields/${index}`, code: 'invalid_value', detail: 'is a key field' }]
      : [],
  );
  return [...ignored, ...ruleFaults(rules, keyFields)];
}

const authField = (name: AuthField) => {
  const { pattern, maxLength, description } = AUTH_FIELDS[name];
  return Type.Optional(Type.String({ pattern, maxLength, description, writeOnly: true }));
};

export const authBody = {
  authType: Type.Optional(
    Type.Enum([...AUTH_TYPES], {
      description: 'How the record authenticates to its origin. Give exactly the fields of the type.',
    }),
  ),
  authUsername: authField('authUsername'),
  authPassword: authField('authPassword'),
  authToken: authField('authToken'),
  authHeaderName: authField('authHeaderName'),
  authHeaderValue: authField('authHeaderValue'),
  authQueryParam: authField('authQueryParam'),
  authQueryValue: authField('authQueryValue'),
};

export const intervalField = Type.Number({
  exclusiveMinimum: 0,
  maximum: 43_200,
  description: 'Minutes between two checks; may be a fraction.',
});

const uniqueColumns = { uniqueItems: true } as const;
const formatField = Type.Enum([...FORMATS]);
export const keyFieldsField = Type.Array(columnField, { ...uniqueColumns, minItems: 1, maxItems: 16 });
export const ignoreFieldsField = Type.Array(columnField, { ...uniqueColumns, maxItems: 1_000 });

/** The settings that the rows depend on; null means detected. */
export const rowsBody = {
  format: Type.Optional(nullable(formatField)),
  delimiter: Type.Optional(nullable(delimiterField)),
  rowsPath: Type.Optional(nullable(rowsPathField)),
  headerRow: Type.Optional(nullable(headerRowField)),
  quoting: Type.Optional(quotingField),
  keyFields: Type.Optional(nullable(keyFieldsField)),
  ignoreFields: Type.Optional(ignoreFieldsField),
  rules: Type.Optional(rulesField),
  pairing: Type.Optional(nullable(pairingField)),
};

/** The same for PATCH. */
export const rowSettingsBody = {
  ...rowsBody,
  startOver: Type.Optional(
    Type.Boolean({
      description: 'Begin a generation with the next body, which is not compared with the rows before.',
    }),
  ),
};

export const newRecordBody = {
  url: urlField,
  name: Type.Optional(nameField),
  slug: Type.Optional(slugField),
  ...rowsBody,
  checkIntervalMinutes: Type.Optional(intervalField),
  labels: Type.Optional(nullable(labelsField)),
  quietHours: Type.Optional(nullable(recordQuietHoursField)),
  ...authBody,
};

const newRecordSchema = Type.Object(newRecordBody);
export type GivenRecord = Static<typeof newRecordSchema>;

/** The other formats are shown with an empty path, which is no setting of theirs. */
const rowsPathOf = ({
  format = null,
  rowsPath = null,
}: Pick<GivenRows, 'format' | 'rowsPath'>): string | null =>
  rowsPath === '' && format !== null && format !== 'json' ? null : rowsPath;

/** @throws ApiError with every error */
export function readNewRecord(
  given: GivenRecord,
  { config, reach }: Pick<Services, 'config' | 'reach'>,
  tier: Tier,
): Omit<NewRecord, 'id' | 'accountId' | 'slug'> {
  const url = validateSettings(withoutNulls(given), { config, reach, tier }) ?? new URL(given.url);
  return {
    name: given.name ?? nameFromUrl(url),
    url: url.href,
    tier,
    format: given.format ?? null,
    delimiter: given.delimiter ?? null,
    rowsPath: rowsPathOf(given),
    headerRow: given.headerRow ?? null,
    quoting: given.quoting ?? 'double',
    keyFields: given.keyFields ?? null,
    ignoreFields: given.ignoreFields ?? [],
    rules: tidyRules(given.rules ?? NO_RULES),
    pairing: given.pairing ?? null,
    checkIntervalSeconds:
      given.checkIntervalMinutes === undefined
        ? defaultIntervalSeconds(tier)
        : given.checkIntervalMinutes * 60,
    labels: given.labels ?? {},
    quietHours: given.quietHours ?? null,
    authType: given.authType ?? 'none',
  };
}

/** As PATCH accepts them: null means that the value is detected. */
export interface GivenRows {
  format?: Format | null;
  delimiter?: string | null;
  rowsPath?: string | null;
  headerRow?: number | null;
  quoting?: Quoting;
  keyFields?: string[] | null;
  ignoreFields?: string[];
  rules?: ColumnRules;
  pairing?: Pairing | null;
  startOver?: boolean;
}

/** The settings that rows depend on. */
export const READING_SETTINGS = [
  'format',
  'delimiter',
  'rowsPath',
  'headerRow',
  'quoting',
  'keyFields',
  'ignoreFields',
  'rules',
  'pairing',
] as const;

export type ReadingSettings = Pick<TrackedRecord, (typeof READING_SETTINGS)[number]>;

export function mergeRows(before: ReadingSettings, given: GivenRows): ReadingSettings {
  const format = given.format === undefined ? before.format : given.format;
  const rowsPath = given.rowsPath === undefined ? before.rowsPath : given.rowsPath;
  return {
    format,
    delimiter: given.delimiter === undefined ? before.delimiter : given.delimiter,
    rowsPath: rowsPathOf({ format, rowsPath }),
    headerRow: given.headerRow === undefined ? before.headerRow : given.headerRow,
    quoting: given.quoting ?? before.quoting,
    keyFields: given.keyFields === undefined ? before.keyFields : given.keyFields,
    ignoreFields: given.ignoreFields ?? before.ignoreFields,
    rules: given.rules === undefined ? before.rules : tidyRules(given.rules),
    pairing: given.pairing === undefined ? before.pairing : given.pairing,
  };
}

/** The settings to validate: those given, and the stored row settings that they combine with. */
export function settingsToBe(
  record: TrackedRecord,
  given: Omit<GivenSettings, keyof GivenRows> & GivenRows,
): GivenSettings {
  const {
    format,
    delimiter,
    rowsPath,
    headerRow,
    quoting,
    keyFields,
    ignoreFields,
    rules,
    startOver: _startOver,
    ...others
  } = given;
  const isAboutRows = [format, delimiter, rowsPath, headerRow, quoting, keyFields, ignoreFields, rules].some(
    (field) => field !== undefined,
  );
  if (!isAboutRows) return others;
  return { ...others, ...withoutNulls(mergeRows(record, given)) };
}
