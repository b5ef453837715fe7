// Settings of format, delimiter and header row that follow an origin, while the stored body is still the one before: through the real
// activities, without a worker.
import { describe, expect, it } from 'vitest';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, get, lastCheck, latest, makeRecord, patch, plan, settle } = useWatchedRecords();

const WITH_COMMAS = 'id,name,price\na1,tea,3\na2,oil,4\na3,rum,5\n';
const WITH_SEMICOLONS = WITH_COMMAS.replaceAll(',', ';').replace('oil;4', 'oil;9');

describe('regression: the stored body is read as it was when newer settings do not fit it', () => {
  it.each([
    ['a header of one cell', 'tea', 'oil'],
    ['a header of one cell above a row with the new delimiter', 'tea;green', 'oil'],
    ['no clear header', 'tea;green', 'oil;pure'],
  ])('and would have %s', async (_what, tea, oil) => {
    const body = WITH_COMMAS.replace('tea', tea).replace('oil', oil);
    const given = { format: 'csv', delimiter: ',', headerRow: 1 } as const;
    const { id, serve } = await makeRecord(body, given);
    await patch(id, { delimiter: ';', headerRow: null, dialectVersion: 1 });
    expect(await plan(id)).toMatchObject({ settle: 'settings' });
    await settle(id);
    expect(await lastCheck(id)).toMatchObject({ trigger: 'settings', outcome: 'unchanged' });
    expect(await get(id)).toMatchObject({
      columns: ['id', 'name', 'price'],
      headKeyFields: ['id'],
      headHeaderRow: null,
    });
    serve(WITH_SEMICOLONS.replace('tea', `"${tea}"`).replace('oil', `"${oil}"`));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ changedKeys: ['a2'], newCount: 0, deletedCount: 0 });
    expect(await get(id)).toMatchObject({ dialect: { delimiter: ';' } });
  });
});

describe('regression: a given header row is for the next body together with a delimiter that the stored one does not fit', () => {
  it.each([
    ['no row has it', 'oil', 'rum'],
    ['its line has it', 'oil;pure', 'rum'],
    ['all rows have it', 'oil;pure', 'rum;old'],
  ])('and %s', async (_what, oil, rum) => {
    const body = WITH_COMMAS.replace('tea', rum.replace('rum', 'tea'))
      .replace('oil', oil)
      .replace('rum', rum);
    const { id, serve } = await makeRecord(body, { format: 'csv', delimiter: ',' });
    await patch(id, { delimiter: ';', headerRow: 3, dialectVersion: 1 });
    await settle(id);
    expect(await plan(id)).not.toHaveProperty('settle');
    expect(await get(id)).toMatchObject({
      columns: ['id', 'name', 'price'],
      dialect: { delimiter: ',', headerRow: 1 },
      totalRows: 3,
    });
    const cells = body
      .trimEnd()
      .split('\n')
      .map((line) =>
        line
          .split(',')
          .map((cell) => `"${cell}"`)
          .join(';'),
      );
    serve(`Prices\n\n${cells.join('\n').replace('"4"', '"9"')}`);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ changedKeys: ['a2'], newCount: 0, deletedCount: 0 });
    expect(await get(id)).toMatchObject({ dialect: { delimiter: ';', headerRow: 3 } });
  });

  it('until the delimiter is corrected, and then for the stored one', async () => {
    const twice = 'id,name\na1,tea\nid,name\na2,oil\na3,rum\n';
    const { id } = await makeRecord(twice, { format: 'csv', delimiter: ',', keyFields: ['id'] });
    await patch(id, { delimiter: ';', headerRow: 3, dialectVersion: 1 });
    await settle(id);
    expect(await get(id)).toMatchObject({ dialect: { headerRow: 1 }, totalRows: 4 });
    await patch(id, { delimiter: ',', dialectVersion: 2 });
    expect(await plan(id)).toMatchObject({ settle: 'settings' });
    await settle(id);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ isNoChange: true, totalCount: 2 });
    expect(await get(id)).toMatchObject({ dialect: { headerRow: 3 } });
    expect(await plan(id)).not.toHaveProperty('settle');
  });

  it('but for the stored one too if it was read wrongly', async () => {
    const body = `Prices; all of them\n\n${WITH_SEMICOLONS}`;
    const { id } = await makeRecord(body, { format: 'csv', delimiter: ',', headerRow: 1 });
    await patch(id, { delimiter: ';', headerRow: 3, dialectVersion: 1 });
    await settle(id);
    expect(await get(id)).toMatchObject({
      columns: ['id', 'name', 'price'],
      dialect: { delimiter: ';', headerRow: 3 },
      totalRows: 3,
    });
  });
});

describe('regression: a JSON format without a header row', () => {
  it.each(['json', 'jsonl'] as const)('leaves the stored rows alone until %s comes', async (format) => {
    const { id, serve } = await makeRecord(WITH_COMMAS, { format: 'csv', headerRow: 1, keyFields: ['id'] });
    await patch(id, { format, headerRow: null, dialectVersion: 1 });
    expect(await plan(id)).not.toHaveProperty('settle');
    const lines = ['a1,tea,3', 'a2,oil,9', 'a3,rum,5'].map((line) => {
      const [key, name, price] = line.split(',');
      return JSON.stringify({ id: key, name, price });
    });
    serve(format === 'json' ? `[${lines.join(',')}]` : lines.join('\n'));
    await bench().check(id);
    expect(await latest(id)).toMatchObject({
      changedKeys: ['a2'],
      newCount: 0,
      deletedCount: 0,
      generation: 1,
    });
    expect(await get(id)).toMatchObject({ dialect: { format }, headHeaderRow: null });
  });
});
