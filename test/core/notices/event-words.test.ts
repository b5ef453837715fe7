// Messages for people: their words.
import { describe, expect, it } from 'vitest';
import { exampleEvent } from '../../../core/example-event.ts';
import type { RowTexts } from '../../../core/delta/row-texts.ts';
import { deltaNotice, newsNotice, undecidedNotice } from '../../../core/notices/event-words.ts';
import type { Notice } from '../../../core/notices/notice.ts';
import { ALL, event, found, record, rowOf } from './example-rows.ts';

const EVENT_URL = 'https://watch.example/dashboard/records/src_1/changes/evt_1';

describe('the words of a delta', () => {
  it('name the first rows in their order, and how many more there are', () => {
    const rows = [
      rowOf('Jam', { price: '3.20', name: 'Jam' }, { price: '3.50', name: 'Jam' }),
      rowOf('Kiwi', null, { price: '1' }),
      rowOf('Lemon', { price: '2' }, null),
    ];
    const notice = deltaNotice(record, event(1, 3, 1), found(rows, 'Lemon'), ALL);
    expect(notice).toEqual({
      title: 'Jams: 1 new, 3 changed and 1 deleted rows',
      summary: 'Jam: price 3.20 to 3.50, and 4 more',
      lines: ['Jam: price 3.20 to 3.50', 'Kiwi is new', 'Lemon is gone', 'and 2 more'],
      link: { url: EVENT_URL, words: 'See the changes' },
      isAlarm: false,
    });
  });

  it('count only rows that the webhook wants, and none that nobody has counted', () => {
    const rows = [rowOf('Jam', { price: 1 }, { price: 2 })];
    const wanted = { changeTypes: ['changed'], columns: null };
    expect(deltaNotice(record, event(7, 1, 0), found(rows), wanted)).toMatchObject({
      title: 'Jams: 1 changed row',
      summary: 'Jam: price 1 to 2',
      lines: ['Jam: price 1 to 2'],
    });
    const columns = { changeTypes: null, columns: ['price'] };
    expect(deltaNotice(record, event(0, 9, 0), found(rows, 'Jam'), columns)).toMatchObject({
      title: 'Jams: at least 1 changed row',
      summary: 'Jam: price 1 to 2, and perhaps more',
    });
    expect(deltaNotice(record, event(0, 9, 0), found([], 'Jam'), columns)).toMatchObject({
      title: 'Jams: changed rows',
      summary: 'changed rows',
      lines: [],
    });
  });

  it('regression: count no changed row that a filter of columns leaves out', () => {
    const columns = { changeTypes: null, columns: ['price'] };
    const rows = [rowOf('Jam', { price: 1 }, { price: 2 }), rowOf('Kiwi', null, { price: '1' })];
    expect(deltaNotice(record, event(1, 3, 0), found(rows), columns)).toMatchObject({
      title: 'Jams: 1 new and 1 changed rows',
      summary: 'Jam: price 1 to 2, and 1 more',
    });
    expect(deltaNotice(record, event(0, 3, 0), found(rows.slice(0, 1)), columns).title).toBe(
      'Jams: 1 changed row',
    );
    expect(deltaNotice(record, event(1, 3, 0), found(rows.slice(1)), columns).title).toBe('Jams: 1 new row');
    expect(deltaNotice(record, event(9, 3, 0), found(rows.slice(1), 'Kiwi'), columns).title).toBe(
      'Jams: 9 new and perhaps changed rows',
    );
  });

  it('regression: say first that a condition could not be asked about all rows', () => {
    const rows = [rowOf('Jam', { price: 1 }, { price: 2 })];
    const notice = undecidedNotice(deltaNotice(record, event(0, 1, 0), found(rows), ALL));
    expect(notice).toMatchObject({
      title: 'Jams: 1 changed row',
      summary: 'Not all rows could be looked at for the condition. Jam: price 1 to 2',
      lines: ['Not all rows could be looked at for the condition.', 'Jam: price 1 to 2'],
    });
  });

  it('keep the digits of numbers, and tell absent, empty and null apart', () => {
    const row: RowTexts = {
      key: 'a',
      changeType: 'changed',
      before: '{"n":1.10,"e":"","g":1}',
      after: '{"n":1.1,"e":null}',
    };
    const { lines } = deltaNotice(record, event(0, 1, 0), found([row]), ALL);
    expect(lines).toEqual(['a: n 1.10 to 1.1; e "" to null; g 1 to (none)']);
  });

  it('put texts in quotes that begin or end with white space', () => {
    const row: RowTexts = {
      key: 'a',
      changeType: 'changed',
      before: String.raw`{"e":"x","b":"x","q":"\"x \""}`,
      after: String.raw`{"e":"x ","b":"\tx","q":"x "}`,
    };
    const { lines } = deltaNotice(record, event(0, 1, 0), found([row]), ALL);
    expect(lines).toEqual([String.raw`a: e x to "x "; b x to "\tx"; q "\"x \"" to "x "`]);
  });

  it('regression: put texts in quotes that look like null, an absent or an empty value', () => {
    const row: RowTexts = {
      key: 'a',
      changeType: 'changed',
      before: String.raw`{"n":null,"m":"(none)","e":"\"\""}`,
      after: '{"n":"null","e":""}',
    };
    const { lines } = deltaNotice(record, event(0, 1, 0), found([row]), ALL);
    expect(lines).toEqual([String.raw`a: n null to "null"; e "\"\"" to ""; m "(none)" to (none)`]);
    const keyless = rowOf('sha256:00', null, { a: null, b: 'null', c: '' });
    expect(deltaNotice(record, event(1, 0, 0), found([keyless]), ALL).lines).toEqual([
      '(null, "null", "") is new',
    ]);
  });

  it('say that a row was paired with a similar one', () => {
    const row = { ...rowOf('sha256:00', { a: 'Ada', b: 1 }, { a: 'Ada', b: 2 }), previousKey: 'sha256:11' };
    expect(deltaNotice(record, event(0, 1, 0), found([row]), ALL).lines).toEqual([
      '(Ada, 2): b 1 to 2 (paired with a similar row)',
    ]);
  });

  it('do not show two long values that differ at their ends as equal', () => {
    const long = 'x'.repeat(100);
    const row = rowOf('a', { text: `${long}1` }, { text: `${long}2` });
    expect(deltaNotice(record, event(0, 1, 0), found([row]), ALL).lines).toEqual(['a: text changed']);
  });

  it('name a row without a key by its first values, and limit the columns', () => {
    const of = (value: number) => ({ a: value, b: value, c: value, d: value, e: value });
    const rows = [rowOf('sha256:00', null, { a: 'Ada', b: 1 }), rowOf('k', of(1), of(2))];
    expect(deltaNotice(record, event(1, 1, 0), found(rows), ALL).lines).toEqual([
      '(Ada, 1) is new',
      'k: a 1 to 2; b 1 to 2; c 1 to 2; and 2 more columns',
    ]);
  });

  it('show what would turn or end a line', () => {
    const row = rowOf('a\n\u202eb', null, {});
    expect(deltaNotice(record, event(1, 0, 0), found([row]), ALL).lines).toEqual([
      String.raw`a\u000a\u202eb is new`,
    ]);
  });
});

describe('the words of other events', () => {
  const wordsOf = (type: string, data: object): Notice => newsNotice(record, type, JSON.stringify(data));

  it('say what happened', () => {
    const failed = wordsOf('check.failed', { checkId: 'chk_1', error: { code: 'x', detail: 'It was 503.' } });
    expect(failed).toEqual({
      title: 'Jams: checks fail',
      summary: 'It was 503.',
      lines: ['It was 503.'],
      link: { url: 'https://watch.example/dashboard/records/src_1/checks/chk_1', words: 'See the record' },
      isAlarm: true,
    });
    const schemaChange = { added: ['a', 'b'], removed: [], renamed: [{ from: 'c', to: 'd' }] };
    expect(wordsOf('schema.changed', { schemaChange }).lines).toEqual(['Added: a, b', 'Renamed: c to d']);
    expect(wordsOf('check.recovered', { failingSince: 'Monday' }).lines).toEqual([
      'They had failed since Monday.',
    ]);
    expect(wordsOf('check.held', { error: { detail: 'Far fewer rows.' } })).toMatchObject({
      title: 'Jams: a check is held',
      lines: ['Far fewer rows.'],
    });
    expect(wordsOf('record.quiet', { unchangedSince: 'Monday' })).toMatchObject({
      title: 'Jams: no change for a time',
      lines: ['Nothing has changed since Monday.'],
    });
    expect(wordsOf('webhook.disabled', { disabledReason: 'Gone.' }).lines).toEqual(['Gone.']);
  });

  it('name an event that has no words yet', () => {
    expect(wordsOf('later.event', {})).toMatchObject({ title: 'Jams: later.event', lines: [] });
  });

  it('mark an example, which links to nothing that does not exist', () => {
    const example = exampleEvent('delta', {
      recordId: 'src_1',
      include: 'rows',
      baseUrl: record.baseUrl,
      nowMs: 0,
      newId: (kind) => `${kind}_x`,
    });
    expect(wordsOf('delta', example)).toMatchObject({
      title: 'Test of Jams: 1 new, 2 changed and 1 deleted rows',
      summary: 'example-1 is new, and 3 more',
      link: { url: 'https://watch.example/dashboard/records/src_1/changes' },
    });
  });
});
