// Errors of several lines below a table: recognised, and told from rows, footers and texts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBody } from './read-body.ts';

const ERRORS = {
  'PHP as HTML':
    '<br />\n<b>Fatal error</b>:  Uncaught PDOException: SQLSTATE[HY000] in <b>/x.php</b> on line <b>12</b><br />\n',
  'a warning of PHP as HTML':
    '<br />\n<b>Warning</b>:  fetch(): gone away in <b>/srv/x.php</b> on line <b>7</b><br />\n',
  PHP: '\nFatal error: Uncaught PDOException: gone, away, now in /x.php:12\nStack trace:\n#0 {main}\n  thrown in /x.php on line 12\n',
  Python:
    'Traceback (most recent call last):\n  File "/x.py", line 12, in main\n    rows(a, b)\n  File "/y.py", line 1\npsycopg2.OperationalError: gone\n',
  Java: `java.sql.SQLException: gone, away\n${'\tat com.x.Y.read(Y.java:12)\n'.repeat(40)}\t... 12 more\n`,
  'Java with a thread': 'Exception in thread "main" java.lang.Error: gone\n\tat com.x.Y.main(Y.java:12)\n',
  JavaScript: 'Error: gone\n    at read (/srv/x.js:1:2)\n    at node:internal/x:3:4\n',
  '.NET': 'Unhandled exception.\n   at X.Y.Read(String a, Int32 b) in C:\\x.cs:line 12\n',
  Ruby: "x.rb:12:in `read': gone (IOError)\n\tfrom x.rb:14:in `<main>'\n",
  Perl: 'DBD::mysql::st fetch failed:\nMySQL server has gone away at export.pl line 12.\n',
  Go: 'panic: gone\n\ngoroutine 1 [running]:\nmain.main()\n',
  'a web page':
    '<html>\n<head><title>502 Bad Gateway</title></head>\n<body>\n<center>nginx</center>\n</body>\n</html>\n',
  'a page with a doctype': '<!DOCTYPE html>\n<html lang=en>\n<p>Gone, away, now.\n',
};

const table = (delimiter: string, width = 3, count = 20) =>
  Array.from({ length: count + 1 }, (_, row) =>
    Array.from({ length: width }, (_cell, at) => (row === 0 ? `name${at}` : `${row}.${at}`)).join(delimiter),
  ).join('\n');
const endOf = async (body: string, chunkBytes?: number) =>
  (await readBody(body, { contentType: 'text/csv', keyFields: ['name0'] }, chunkBytes)).incompleteEnd;

describe.each(Object.entries(ERRORS))('an error of %s', (_name, error) => {
  it.each([',', ';', '\t', '|'])('is recognised below a table with %j', async (delimiter) => {
    for (const chunkBytes of [Infinity, 7]) {
      const rows = error.split('\n').filter((line) => line !== '').length;
      const end = await endOf(`${table(delimiter, 4)}\n${error}`, chunkBytes);
      expect(end).toMatchObject({ code: 'ragged_rows', rows });
    }
  });

  it('is recognised when it follows a part of a row, and when no row is there', async () => {
    expect((await endOf(`${table(',')}\n21.0,21${error}`))?.code).toBe('ragged_rows');
    expect((await endOf(`a,name0,c,d\n${error}`))?.code).toBe('ragged_rows');
  });

  it('is no error when whole rows follow, when an earlier row is short, or as a text in quotes', async () => {
    const rows = table(',');
    const many = table(',', 3, 150).split('\n').slice(1).join('\n');
    expect(await endOf(`${rows}\n${error}${many}\n`)).toBeUndefined();
    expect(await endOf(`${rows}\n1\n${many}\n${error}`)).toBeUndefined();
    expect(await endOf(`${rows}\n1,2,"${error.replaceAll('"', '""')}"\n`)).toBeUndefined();
    expect(await endOf(`${rows}\n1\n2,"${error.replaceAll('"', '""')}",3\n`)).toBeUndefined();
  });
});

it.each([
  ['a footer of two lines', 'Source: ECB\nAll figures in euro\n'],
  ['a footer with a place and a line', 'Total\nPrinted at line 12\n'],
  ['a footer with a unit and a line', 'Total\nAll figures in euro on line 12\n'],
  ['a footer with a link', 'Source:\n<a href=https://x.example/>ECB</a>\n'],
  ['short rows', '21.0\n22.0\n'],
  ['short rows of texts', '21,Error: none\n22,Warning: the flat is at Main St.\n'],
  ['short rows with HTML', '21,<p>a</p>\n22,<html><body>b</body></html>\n'],
])('takes %s for no error', async (_name, end) => {
  expect(await endOf(`${table(',')}\n${end}`)).toBeUndefined();
});

it('regression: takes no whole rows for lines of an error that is in the table', async () => {
  const rows = table(',', 3, 12);
  const [, ...more] = rows.split('\n');
  const trace = '\tat a.b.C(D.java:12)\n';
  for (const count of [1, 2, 10]) {
    const whole = more.slice(0, count).join('\n');
    expect(await endOf(`${rows}\n${trace}${whole}\n`)).toBeUndefined();
    expect(await endOf(`${rows}\n${trace.repeat(5)}${whole}\n`)).toBeUndefined();
  }
  expect(await endOf(`${rows}\n${trace}${more.join('\n')}\n${trace}${trace}`)).toBeUndefined();
});

it('takes no rows of any table for an error', async () => {
  const text = fc.string({
    unit: fc.constantFrom('<b>', 'at ', 'error', ': ', 'in ', ' on line 1', '(', 'x', '\n'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { maxLength: 15 }),
      async (rows) => {
        const lines = rows.map((cells) => cells.map((cell) => `"${cell}"`).join(','));
        expect(await endOf(`${table(',')}\n${lines.join('\n')}\n`)).toBeUndefined();
      },
    ),
  );
});
