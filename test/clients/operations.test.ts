// Both client packages have a call for each operation, and know its answers from those of another server.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../../api/operations.ts';
import { isAnswer, MARKS } from '../../clients/typescript/src/http/is-answer.ts';

const CLIENTS = fileURLToPath(new URL('../../clients/', import.meta.url));

/** Feed readers and links need no client, and rows are read through their snapshot. */
const WITHOUT_CALL = ['readAtomFeed', 'followDownloadLink', 'listSnapshotRows'];

/** @returns the source of the resources, without white space, with `{}` for each parameter of a path */
const sourceOf = (pattern: string): string =>
  globSync(pattern, { cwd: CLIENTS })
    .map((path) => readFileSync(CLIENTS + path, 'utf8'))
    .join('')
    .replaceAll(/\s/g, '')
    .replaceAll(/\{[^{}]*\}(?=[/"'`])/g, '{}')
    .replaceAll('/self/', '/{}/');

it.each([
  ['typescript', 'typescript/src/resources/*.ts'],
  ['python', 'python/src/recordwatch/_async/*.py'],
])('%s', (_name, pattern) => {
  const source = sourceOf(pattern);
  const missing = OPERATIONS.filter(({ http }) => {
    const path = http.path.replaceAll(/:\w+/g, '{}');
    return !['"', "'"].some((quote) => source.includes(`${path}${quote}`));
  });
  expect(missing.map(({ name }) => name)).toEqual(WITHOUT_CALL);
});

it('each answer has a member that tells it from the JSON of another server', () => {
  const unmarked = OPERATIONS.filter(({ output }) => {
    const { properties, required = [] } = output as { properties?: object; required?: string[] };
    return properties !== undefined && !isAnswer(Object.fromEntries(required.map((name) => [name, null])));
  });
  expect(unmarked.map(({ name }) => name)).toEqual([]);
  expect(isAnswer({ ok: true })).toBe(false);
});

it('the client for Python knows the same members', () => {
  const source = readFileSync(`${CLIENTS}python/src/recordwatch/_requests.py`, 'utf8');
  const [, names = ''] = /^MARKS = \{(.*)\}$/m.exec(source) ?? [];
  expect(names.split(', ')).toEqual(MARKS.map((name) => `"${name}"`));
});
