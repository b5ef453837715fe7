// Which fields are taken as the key, and what is said of the choice.
import { describe, expect, test } from 'vitest';
import { detectKey } from '../../../core/delta/detect-key.ts';
import { readBody } from './read-body.ts';

const keyOf = async (body: string, ignoreFields: string[] = []) => {
  const { fields, evidence } = (await readBody(body, { ignoreFields })).key;
  return { fields, rule: evidence?.rule };
};

describe('a key is chosen', () => {
  test.each([
    ['by its name before the leftmost', 'title,sku\na,1\nb,2\n', ['sku'], 'name'],
    ['named a key before named like one', 'order_id,id\n1,3\n2,4\n', ['id'], 'name'],
    ['with capitals in the name', 'title,licenseId\na,1\nb,2\n', ['licenseId'], 'name'],
    ['leftmost where no name tells', 'city,mayor\nA,x\nB,y\n', ['city'], 'leftmost'],
    ['not if two rows share it', 'id,city\n1,A\n1,B\n', ['city'], 'leftmost'],
    ['not if a row has it empty', 'id,city\n,A\n1,B\n', ['city'], 'leftmost'],
    ['not if a row lacks it', 'city,id\nA,1\nB\n', ['city'], 'leftmost'],
    ['not if its name says that it changes', 'last_updated,price,city\n1,5,A\n2,6,B\n', ['city'], 'leftmost'],
    ['not if it only numbers the rows', ',index,city\n0,1,A\n1,2,B\n', ['city'], 'leftmost'],
    ['not if it is ignored', 'id,city\n1,A\n2,B\n', ['city'], 'leftmost', ['id']],
    ['not if it holds long texts', `note,city\n${'x'.repeat(300)},A\nb,B\n`, ['city'], 'leftmost'],
    ['of two fields if no single one serves', 'a,b,c\n1,x,p\n1,y,p\n2,x,p\n', ['a', 'b'], 'pair'],
    ['of none if no pair serves', 'a,b\n1,x\n1,x\n', [], 'none'],
    ['of none if there are no rows', 'id,b\n', [], 'no_rows'],
    [
      'by the path of nested objects',
      '{"n":[1],"meta":{"id":1}}\n{"n":[2],"meta":{"id":2}}\n',
      ['meta.id'],
      'name',
    ],
    [
      'not if it lies in an ignored object',
      '{"meta":{"id":1},"t":"a"}\n{"meta":{"id":2},"t":"b"}\n',
      ['t'],
      'leftmost',
      ['meta'],
    ],
    ['not of lists or objects', '{"n":[1],"o":{},"t":"a"}\n{"n":[2],"o":[],"t":"b"}\n', ['t'], 'leftmost'],
    ['not of null', '{"id":null,"t":"a"}\n{"id":1,"t":"b"}\n', ['t'], 'leftmost'],
    ['not of what the first row lacks', '{"t":"a"}\n{"id":1,"t":"b"}\n', ['t'], 'leftmost'],
  ])('%s', async (_, body, fields, rule, ignored: string[] = []) => {
    expect(await keyOf(body, ignored)).toEqual({ fields, rule });
  });

  test('over all rows, however late the duplicate comes', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => `${n === 4_999 ? 0 : n},v${n}`);
    expect(await keyOf(`id,other\n${rows.join('\n')}\n`)).toEqual({ fields: ['other'], rule: 'leftmost' });
  });
});

test('memory is bounded: less likely candidates are given up', async () => {
  const rows = Array.from({ length: 5_000 }, (_, n) => [`"a${n}"`, `"b${n}"`, `"c${n}"`]);
  const open = async function* () {
    for (let at = 0; at < rows.length; at += 100) {
      yield await Promise.resolve({ columns: ['a', 'b', 'id'], rows: rows.slice(at, at + 100) });
    }
  };
  const { fields, evidence } = await detectKey(open, () => false, 100_000);
  expect(fields).toEqual(['id']);
  expect(evidence.alternatives).toEqual([]);
});

test('the choice is told in words, with the number of rows and what else would have served', async () => {
  const { key } = await readBody('city,sku\nA,1\nB,2\n');
  expect(key.evidence).toEqual({
    rule: 'name',
    rows: 2,
    alternatives: ['city'],
    words: '“sku” is filled and different in all 2 rows, and named like a key.',
  });
  expect((await readBody('a,b,c\n1,x,p\n1,y,p\n2,x,p\n')).key.evidence?.words).toBe(
    'No single field is different in all 3 rows, but “a” and “b” together are.',
  );
});
