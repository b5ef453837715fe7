// PATCH /v1/sources/:id
import { Type } from 'typebox';
import { type RecordChanges, updateRecord } from '../../db/records.ts';
import { intervalField, nameField, recordParams, slugField, urlField } from '../fields.ts';
import { getRecord, readRecord } from '../get-record.ts';
import { defineOperation } from '../operation.ts';
import { checkSettings } from '../record-rules.ts';
import { presentRecord, recordSchema } from '../resources/record.ts';
import { isSlugTaken, slugTaken } from '../slug-taken.ts';
import { tellWorkflow } from '../tell-workflow.ts';

export const patchRecord = defineOperation({
  name: 'updateRecord',
  tag: 'Records',
  scope: 'full',
  errors: ['url_not_allowed', 'conflict'],
  summary: 'Change a record’s name, slug, URL or interval',
  http: { method: 'PATCH', path: '/v1/sources/:id' },
  params: recordParams,
  body: {
    name: Type.Optional(nameField),
    slug: Type.Optional(slugField),
    url: Type.Optional(urlField),
    checkIntervalMinutes: Type.Optional(intervalField),
  },
  output: recordSchema,
  async run(ctx, { name, slug, url, checkIntervalMinutes }) {
    const record = getRecord(ctx);
    const given = {
      ...(slug === undefined ? {} : { slug }),
      ...(url === undefined ? {} : { url }),
      ...(checkIntervalMinutes === undefined ? {} : { checkIntervalMinutes }),
    };
    const checkedUrl = checkSettings(given, { ...ctx, tier: record.tier });
    const changes: RecordChanges = {
      ...(name === undefined ? {} : { name }),
      ...(slug === undefined ? {} : { slug }),
      ...(checkedUrl === undefined ? {} : { url: checkedUrl.href }),
      ...(checkIntervalMinutes === undefined ? {} : { checkIntervalSeconds: checkIntervalMinutes * 60 }),
    };
    if (Object.keys(changes).length === 0) return presentRecord(record);
    await updateRecord(ctx.db, record.id, changes).catch((error: unknown) => {
      throw isSlugTaken(error) ? slugTaken() : error;
    });
    await tellWorkflow(ctx, record.id, 'settingsChanged');
    return presentRecord(await readRecord(ctx, record.id));
  },
});
