// The records that completion proposes.
import { expect, it } from 'vitest';
import { recordCandidates } from '../../../cli/completion/complete.ts';

it('regression: proposes no word of the service that a shell would run', () => {
  const slugs = ['prices', '$(id)', 'a;id', 'a b', '--help', 'a\nb', '\u001B[2J', '`id`', '~', '', 'shop-2'];
  const records = slugs.map((slug) => ({ slug, name: 'Prices' }));
  const proposed = [
    { word: 'prices', description: 'Prices' },
    { word: 'shop-2', description: 'Prices' },
  ];
  expect(recordCandidates(records)).toEqual(proposed);
});
