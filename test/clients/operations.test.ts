// Both client packages have a call for each operation.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../../api/operations.ts';

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
