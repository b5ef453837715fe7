// Which compression a caller gets.
import { expect, it } from 'vitest';
import { negotiateEncoding } from '../../../api/http/files.ts';

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZip', 'gzip'],
  ['zstd', 'zstd'],
  ['br', 'identity'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip;q=1.0, zstd;q=0.9', 'gzip'],
  ['gzip;q=0.5,zstd;q=0.5', 'zstd'],
  ['gzip;q=0', 'identity'],
  ['gzip; q=0.001', 'gzip'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0.5, gzip', 'gzip'],
  ['identity;q=0', 'identity'],
  ['*', 'zstd'],
  ['*;q=0', 'identity'],
  ['zstd;q=0, *', 'gzip'],
  ['gzip, *;q=0', 'gzip'],
  ['gzip;q=2', 'gzip'],
  ['gzip;q=0.1234, zstd;level=3', 'zstd'],
])('for %s it is %s', (header, encoding) => {
  expect(negotiateEncoding(header)).toBe(encoding);
});
