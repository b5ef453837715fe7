// The same bytes under the name of another charset are other texts, and no check may call them unchanged.
import { expect, it } from 'vitest';
import { newTestId } from '../../support/rows/factories.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, lastCheck, latest, origin, patch, rowsOf, settle } = useWatchedRecords();

const LATIN = Buffer.from('id,name\n1,caf\u00e9\n2,tea\n', 'latin1');
const MARKED = Buffer.from('\ufeffid,name\n1,caf\u00e9\n', 'utf16le');

async function makeRecord(body: Buffer, charset: string) {
  const path = `/charset-${newTestId('check')}`;
  const serve = (bytes: Buffer, label: string | null): void =>
    origin().set(path, {
      body: bytes,
      headers: { 'content-type': label === null ? 'text/csv' : `text/csv; charset=${label}` },
    });
  const name = (label: string | null): void => serve(body, label);
  name(charset);
  const id = await bench().makeRecord({ url: origin().url + path });
  await bench().check(id);
  return { id, name, serve };
}

it('a row changes when the new charset gives it another text', async () => {
  const { id, name } = await makeRecord(LATIN, 'iso-8859-1');
  name('iso-8859-5');
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ changedKeys: ['1'], newCount: 0, deletedCount: 0 });
  expect(await rowsOf(id)).toMatchObject({ '1': '{"id":"1","name":"caf\u0449"}' });
  expect((await lastCheck(id))?.warnings).toEqual([
    { code: 'charset_changed', count: 1, samples: ['named iso-8859-5, read as iso-8859-5'] },
  ]);
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ isNoChange: true });
});

it.each(['Windows-1252', 'latin1', null])(
  'another name of the same charset, or none, has nothing read again: %s',
  async (label) => {
    const { id, name } = await makeRecord(LATIN, 'iso-8859-1');
    name(label);
    const fetched = await bench().run(({ fetchSource }) => fetchSource(bench().newCheck(id)));
    expect(fetched.kind).toBe('committed');
    expect(await latest(id)).toMatchObject({ isNoChange: true });
  },
);

it('a body that was and is UTF-8 stays UTF-8, whatever the header says, and the check says so', async () => {
  const UTF_8 = Buffer.from('id,name\n1,caf\u00e9\n2,tea\n');
  const { id, name, serve } = await makeRecord(UTF_8, 'utf-8');
  name('iso-8859-1');
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ isNoChange: true });
  serve(Buffer.from('id,name\n1,caf\u00e9\n2,th\u00e9\n'), 'iso-8859-1');
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ changedKeys: ['2'], newCount: 0, deletedCount: 0 });
  expect((await lastCheck(id))?.warnings).toEqual([
    { code: 'charset_changed', count: 1, samples: ['named iso-8859-1, read as utf-8'] },
  ]);
  serve(Buffer.from('id,name\n1,caf\u00e9\n2,t\u00e9\n', 'latin1'), 'iso-8859-1');
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ changedKeys: ['2'], newCount: 0, deletedCount: 0 });
  expect((await lastCheck(id))?.warnings).toEqual([
    { code: 'charset_changed', count: 1, samples: ['named iso-8859-1, read as windows-1252'] },
  ]);
});

it('regression: is read again when the new charset is one whose texts fit UTF-8', async () => {
  const { id, name } = await makeRecord(Buffer.from('id,name\n1,\u001b$B$$\u001b(B\n2,te\n'), 'utf-8');
  name('iso-2022-jp');
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ changedKeys: ['1'], newCount: 0, deletedCount: 0 });
  expect(await rowsOf(id)).toMatchObject({ '1': '{"id":"1","name":"\u3044"}' });
  const fetched = await bench().run(({ fetchSource }) => fetchSource(bench().newCheck(id)));
  expect(fetched.kind).toBe('committed');
  // Read as such, the bytes are no table with the record's columns.
  const wide = await makeRecord(Buffer.from('id,name\n1,tea\n'), 'utf-8');
  wide.name('utf-16le');
  await bench().check(wide.id);
  expect(await lastCheck(wide.id)).toMatchObject({ outcome: 'failed' });
});

it('a body that was ASCII is read in the charset that is declared since, wherever in it that matters', async () => {
  const rows = (last: string): string =>
    `id,name\n${Array.from({ length: 9_000 }, (_, at) => `${at},tea and more`).join('\n')}\n9000,${last}\n`;
  const { id, serve } = await makeRecord(Buffer.from(rows('tea')), 'utf-8');
  for (const [bytes, label] of [
    [Buffer.from(rows('th\u00e9'), 'latin1'), 'iso-8859-1'],
    [Buffer.from(rows('th\u00e9'), 'utf16le'), 'utf-16le'],
  ] as const) {
    serve(bytes, label);
    await bench().check(id);
    expect((await rowsOf(id))['9000']).toBe('{"id":"9000","name":"th\u00e9"}');
  }
  expect(await latest(id)).toMatchObject({ isNoChange: true });
});

it('regression: undeclared UTF-8 is UTF-8 again after a body in another charset', async () => {
  const { id, serve } = await makeRecord(LATIN, 'iso-8859-1');
  serve(Buffer.from('id,name\n1,caf\u00e9\n2,th\u00e9\n'), null);
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ changedKeys: ['2'], newCount: 0, deletedCount: 0 });
  expect((await lastCheck(id))?.warnings).toEqual([
    { code: 'charset_changed', count: 1, samples: ['named by nothing, read as utf-8'] },
  ]);
  serve(Buffer.from('id,name\n1,caf\u00e9\n2,t\u00e9\n', 'latin1'), null);
  await bench().check(id);
  expect(await lastCheck(id)).toMatchObject({ outcome: 'failed', code: 'encoding_invalid' });
});

it('regression: wrongly declared bytes are read again when nothing declares them any more', async () => {
  const { id, name } = await makeRecord(Buffer.from('id,name\n1,caf\u00e9\n2,tea\n'), 'iso-8859-1');
  expect(await rowsOf(id)).toMatchObject({ '1': '{"id":"1","name":"caf\u00c3\u00a9"}' });
  name(null);
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ changedKeys: ['1'], newCount: 0, deletedCount: 0 });
  expect(await rowsOf(id)).toMatchObject({ '1': '{"id":"1","name":"caf\u00e9"}' });
});

it('regression: the stored body is read again in its charset when settings change', async () => {
  const UTF_8 = Buffer.from('id,name\n1,caf\u00e9\n2,tea\n');
  const { id } = await makeRecord(UTF_8, 'iso-8859-1');
  const rows = { '1': '{"id":"1","name":"caf\u00c3\u00a9"}', '2': '{"id":"2","name":"tea"}' };
  expect(await rowsOf(id)).toEqual(rows);
  await patch(id, { ignoreFields: ['zzz'] });
  await settle(id);
  expect(await latest(id)).toMatchObject({ rekeyed: true, isNoChange: true });
  expect(await rowsOf(id)).toEqual(rows);
  await bench().check(id);
  expect(await rowsOf(id)).toEqual(rows);
  expect((await lastCheck(id))?.warnings).toEqual([]);
});

it('regression: undeclared ASCII is not UTF-16 because the previous body was', async () => {
  const { id, serve } = await makeRecord(MARKED, 'utf-8');
  serve(Buffer.from('id,name\n1,cafe\n'), null);
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ changedKeys: ['1'], newCount: 0, deletedCount: 0 });
});

it('ASCII says nothing about the charset, so the known one stays', async () => {
  const { id, serve } = await makeRecord(LATIN, 'iso-8859-1');
  for (const text of ['id,name\n1,cafe\n2,tea\n', 'id,name\n1,caf\u00e9\n2,tea\n']) {
    serve(Buffer.from(text, 'latin1'), null);
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ changedKeys: ['1'], newCount: 0, deletedCount: 0 });
  }
});

it('a byte order mark takes precedence over any declaration', async () => {
  const { id, name } = await makeRecord(MARKED, 'utf-8');
  name('iso-8859-1');
  const fetched = await bench().run(({ fetchSource }) => fetchSource(bench().newCheck(id)));
  expect(fetched.kind).toBe('committed');
  expect(await rowsOf(id)).toEqual({ '1': '{"id":"1","name":"caf\u00e9"}' });
});

it.each(['utf-8', 'no-such-charset'])('a charset that does not fit fails the check: %s', async (label) => {
  const { id, name } = await makeRecord(LATIN, 'iso-8859-1');
  const before = await rowsOf(id);
  name(label);
  await bench().check(id);
  expect(await lastCheck(id)).toMatchObject({ outcome: 'failed', code: 'encoding_invalid' });
  expect(await rowsOf(id)).toEqual(before);
  expect(bench().spool()).toEqual([]);
  name('iso-8859-1');
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ isNoChange: true });
});
