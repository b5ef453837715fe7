// The version of Node.js that the package for users needs.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OLDEST_NODE, refuseNode } from '../../cli/client-node.ts';

it.each(['20.20.2', '22.14.0', '18.0.0'])('regression: %s is refused in words', (version) => {
  expect(refuseNode(version)).toBe(`recordwatch needs Node.js 22.15 or newer; this is ${version}.`);
});

it.each(['22.15.0', '22.23.3', '23.11.0', '24.0.0', '100.1.0'])('%s is fine', (version) => {
  expect(refuseNode(version)).toBeUndefined();
});

it('is the one that the package declares', () => {
  const builder = new URL('../../tools/client-package/build-package.ts', import.meta.url);
  expect(readFileSync(builder, 'utf8')).toContain(`node: '>=${OLDEST_NODE}'`);
});
