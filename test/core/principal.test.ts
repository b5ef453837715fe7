// Scopes: a strict hierarchy.
import { expect, it } from 'vitest';
import { allows, type Scope } from '../../core/principal.ts';

it.each<[Scope, Scope[]]>([
  ['full', ['download', 'read', 'full']],
  ['read', ['download', 'read']],
  ['download', ['download']],
])('%s allows %j', (granted, allowed) => {
  const scopes: Scope[] = ['download', 'read', 'full'];
  expect(scopes.filter((required) => allows(granted, required))).toEqual(allowed);
});
