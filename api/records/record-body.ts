// What makes a record: the fields of its creation, and of its credentials, which PATCH takes as well.
import { type Static, Type } from 'typebox';
import { FORMATS } from '../../core/checks.ts';
import { AUTH_FIELDS, AUTH_TYPES, type AuthField } from '../../core/source-credentials.ts';
import type { Tier } from '../../core/tiers.ts';
import type { NewRecord } from '../../db/records/records.ts';
import type { Services } from '../contract/context.ts';
import {
  columnField,
  delimiterField,
  headerRowField,
  intervalField,
  nameField,
  rowsPathField,
  slugField,
  urlField,
} from '../input/fields.ts';
import { checkSettings, defaultIntervalSeconds, withoutNulls } from './record-rules.ts';
import { nullable } from '../resources/shapes.ts';
import { nameFromUrl } from './slugs.ts';

const authField = (name: AuthField) => {
  const { pattern, maxLength, description } = AUTH_FIELDS[name];
  return Type.Optional(Type.String({ pattern, maxLength, description, writeOnly: true }));
};

export const authBody = {
  authType: Type.Optional(
    Type.Enum([...AUTH_TYPES], {
      description: 'How the record shows its origin who comes. Exactly the fields of the type go with it.',
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

const uniqueColumns = { uniqueItems: true } as const;
const formatField = Type.Enum([...FORMATS]);
export const keyFieldsField = Type.Array(columnField, { ...uniqueColumns, minItems: 1, maxItems: 16 });
export const ignoreFieldsField = Type.Array(columnField, { ...uniqueColumns, maxItems: 1_000 });

/** What a record's rows depend on, if it is given. */
export const rowFields = {
  format: Type.Optional(formatField),
  delimiter: Type.Optional(delimiterField),
  rowsPath: Type.Optional(rowsPathField),
  headerRow: Type.Optional(headerRowField),
  keyFields: Type.Optional(keyFieldsField),
};

/** The same; null: found out from the data. */
const rowsBody = {
  format: Type.Optional(nullable(formatField)),
  delimiter: Type.Optional(nullable(delimiterField)),
  rowsPath: Type.Optional(nullable(rowsPathField)),
  headerRow: Type.Optional(nullable(headerRowField)),
  keyFields: Type.Optional(nullable(keyFieldsField)),
  ignoreFields: Type.Optional(ignoreFieldsField),
};

/** The same as PATCH takes it. */
export const rowSettingsBody = {
  ...rowsBody,
  startOver: Type.Optional(
    Type.Boolean({
      description:
        'Begin a generation with the next body that the origin sends, and compare it with nothing before.',
    }),
  ),
};

export const newRecordBody = {
  url: urlField,
  name: Type.Optional(nameField),
  slug: Type.Optional(slugField),
  ...rowsBody,
  checkIntervalMinutes: Type.Optional(intervalField),
  ...authBody,
};

const newRecordSchema = Type.Object(newRecordBody);
export type GivenRecord = Static<typeof newRecordSchema>;

/** @throws ApiError with every fault of what was given */
export function readNewRecord(
  given: GivenRecord,
  { config, reach }: Pick<Services, 'config' | 'reach'>,
  tier: Tier,
): Omit<NewRecord, 'id' | 'accountId' | 'slug'> {
  const url = checkSettings(withoutNulls(given), { config, reach, tier }) ?? new URL(given.url);
  return {
    name: given.name ?? nameFromUrl(url),
    url: url.href,
    tier,
    format: given.format ?? null,
    delimiter: given.delimiter ?? null,
    rowsPath: given.rowsPath ?? null,
    headerRow: given.headerRow ?? null,
    keyFields: given.keyFields ?? null,
    ignoreFields: given.ignoreFields ?? [],
    checkIntervalSeconds:
      given.checkIntervalMinutes === undefined
        ? defaultIntervalSeconds(tier)
        : given.checkIntervalMinutes * 60,
    authType: given.authType ?? 'none',
  };
}
