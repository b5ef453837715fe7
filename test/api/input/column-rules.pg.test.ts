// Rules for columns as a setting of a record.
import { beforeEach, describe, expect, it } from 'vitest';
import { findRecord } from '../../../db/records/records.ts';
import { answerPreview, findPreview } from '../../../db/records/rule-previews.ts';
import { useApi } from '../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../support/rows/factories.ts';

const api = useApi();
beforeEach(() => {
  api.workflows.calls.length = 0;
  api.workflows.onPreview = () => undefined;
});

async function makeRecord(settings: Parameters<typeof createTestRecord>[2] = {}): Promise<string> {
  const id = await createTestRecord(api.db, api.accountId, settings);
  await commitRows(api.db, id, { a: '{"id":"a","price":"1"}', b: '{"id":"b","price":"2"}' });
  return id;
}

const patch = (id: string, body: object) => api.call('PATCH', `/v1/sources/${id}`, { body });
const stored = async (id: string) => (await findRecord(api.db, id)) ?? {};
const rules = {
  price: { as: 'number', tolerance: '1%' },
  seen_at: { as: 'date' },
  'meta.name': { trim: true, ignoreCase: true, normalize: 'NFC' },
};

describe('rules for columns', () => {
  it('are stored, shown, and in force once the stored body was read under them', async () => {
    const id = await makeRecord();
    const { status, body } = await patch(id, { rules });
    expect(status).toBe(200);
    expect(body).toMatchObject({ rules, isRekeyPending: true });
    expect(api.workflows.calls).toEqual([{ name: 'settingsChanged', id }]);
    expect(await stored(id)).toMatchObject({ rules, headRules: {} });
    expect((await api.call('GET', `/v1/sources/${id}`)).body).toMatchObject({ rules });
    expect((await patch(id, { rules: {} })).body).toMatchObject({ rules: {}, isRekeyPending: false });
  });

  it('are replaced as a whole, kept by other changes, and the same in any order', async () => {
    const id = await makeRecord();
    await patch(id, { rules });
    expect((await patch(id, { name: 'Other', ignoreFields: ['stock'] })).body).toMatchObject({ rules });
    await api
      .db('record_heads')
      .where({ recordId: id })
      .update({ rules: JSON.stringify(rules), ignoreFields: ['stock'] });
    const turned = Object.fromEntries(Object.entries(rules).toReversed());
    expect((await patch(id, { rules: turned })).body.isRekeyPending).toBe(false);
    const idle = { rules: { ...rules, price: { tolerance: '1%', as: 'number', trim: false } } };
    expect((await patch(id, idle)).body).toMatchObject({ rules, isRekeyPending: false });
    const { body } = await patch(id, { rules: { price: { as: 'number' } } });
    expect(body).toMatchObject({ rules: { price: { as: 'number' } }, isRekeyPending: true });
    expect(await stored(id)).toMatchObject({ rules: { price: { as: 'number' } } });
  });

  it('are part of a new record', async () => {
    const body = { url: 'https://example.com/prices.csv', rules: { price: { as: 'number', trim: false } } };
    const created = await api.call('POST', '/v1/sources', { body });
    expect(created.body).toMatchObject({ rules: { price: { as: 'number' } } });
  });

  it.each([
    [{ rules: { price: {} } }, '/rules/price', 'too_short'],
    [{ rules: { price: { as: 'float' } } }, '/rules/price/as', 'invalid_value'],
    [{ rules: { price: { as: 'number', tolerance: '-1' } } }, '/rules/price/tolerance', 'invalid_value'],
    [{ rules: { price: { as: 'number', tolerance: 0.01 } } }, '/rules/price/tolerance', 'invalid_type'],
    [{ rules: { 'a/b~c': { trim: true, tolerance: '1' } } }, '/rules/a~1b~0c/tolerance', 'invalid_value'],
    [{ rules: { price: { as: 'date', tolerance: '1%' } } }, '/rules/price/tolerance', 'invalid_value'],
    [{ rules: { price: { round: 2 } } }, '/rules/price/round', 'unknown_field'],
    [{ rules: { 'a\0': { trim: true } } }, '/rules/a\0', 'invalid_value'],
    [{ rules: { price: { trim: true } }, keyFields: ['id', 'price'] }, '/rules/price', 'invalid_value'],
    [{ rules: null }, '/rules', 'invalid_type'],
  ])('are refused where they say nothing certain: %j', async (given, pointer, code) => {
    const id = await makeRecord();
    const { status, body } = await patch(id, given);
    expect(status).toBe(422);
    expect(body.errors).toEqual([expect.objectContaining({ pointer, code })]);
    expect(await stored(id)).toMatchObject({ rules: {} });
    expect((await api.call('POST', `/v1/sources/${id}/preview`, { body: given })).status).toBe(422);
  });

  it('regression: are read up to the first one beyond the limit only', async () => {
    const id = await makeRecord();
    const of = (rule: object) =>
      Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`c${at}`, rule]));
    const tooMany = { pointer: '/rules', code: 'too_long', detail: 'must have at most 200 members' };
    expect((await patch(id, { rules: of({ trim: true }) })).body.errors).toEqual([tooMany]);
    const { body } = await patch(id, { slug: 1, rules: of({}) });
    expect(body.detail).toBe('/slug must be a string (and 202 more).');
    const list = await patch(id, { rules: Array.from({ length: 1_000 }, () => ({})) });
    expect(list.body.errors).toEqual([expect.objectContaining({ pointer: '/rules', code: 'invalid_type' })]);
  });

  it('are refused for a name that is too long for a column', async () => {
    const id = await makeRecord();
    const { body } = await patch(id, { rules: { ['x'.repeat(1_001)]: { trim: true } } });
    const detail = 'must be the name of a column, of at most 1,000 characters';
    expect(body.errors).toEqual([expect.objectContaining({ detail })]);
  });

  it('are refused for key fields given before, and key fields for rules given before', async () => {
    const id = await makeRecord({ keyFields: ['id'] });
    const fault = expect.objectContaining({
      detail: 'is a key field, whose values are always compared exactly',
    });
    expect((await patch(id, { rules: { id: { trim: true } } })).body.errors).toEqual([fault]);
    expect((await patch(id, { rules: { price: { trim: true } } })).status).toBe(200);
    expect((await patch(id, { keyFields: ['price'] })).body.errors).toEqual([fault]);
    expect((await patch(id, { keyFields: ['price'], rules: {} })).status).toBe(200);
  });

  it('can be previewed with the rest of the rule', async () => {
    const id = await makeRecord();
    let asked: unknown;
    api.workflows.onPreview = async (previewId: string) => {
      asked = (await findPreview(api.db, previewId))?.rule;
      const read = {
        headerRow: 1,
        keyFields: ['id'],
        keyEvidence: null,
        columns: ['id'],
        rowCount: 2,
        warnings: [],
      };
      await answerPreview(api.db, previewId, { kind: 'read', ...read });
    };
    const { body } = await api.call('POST', `/v1/sources/${id}/preview`, { body: { rules } });
    expect(body).toMatchObject({ rules, rowCount: 2 });
    expect(asked).toMatchObject({ rules, keyFields: null, ignoreFields: [] });
    expect(await stored(id)).toMatchObject({ rules: {} });
  });
});
