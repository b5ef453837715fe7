// What each scope permits.
import { expect, it } from 'vitest';
import { allows, SCOPES, type Scope } from '../../core/principal.ts';

it.each<[Scope, Scope[]]>([
  ['full', ['feed', 'download', 'read', 'full']],
  ['read', ['feed', 'download', 'read']],
  ['download', ['download']],
  ['feed', ['feed']],
])('%s allows %j', (granted, allowed) => {
  expect(SCOPES.filter((required) => allows(granted, required))).toEqual(allowed);
});
