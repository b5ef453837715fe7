// A key and what it may do, in words.
import { facts } from '../output/answers.ts';
import type { Who } from './who.ts';

const KIND_WORDS: Record<Who['kind'], string> = {
  account: 'of an account',
  record: 'of one record',
  session: 'of an anonymous session',
};

export const whoWords = ({ url, kind, key, scope, tier, records, sourceSlug }: Who): string =>
  facts({
    Service: url,
    Key: `${key}, ${KIND_WORDS[kind]}, scope ${scope}`,
    Tier: tier,
    Records: sourceSlug ?? records,
  });
