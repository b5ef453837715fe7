// Prints what may follow on a command line that is being typed, for a shell: a word, a tab and a description on each line.
import type { Command } from 'commander';
import { safeText } from '../../core/text/safe-text.ts';
import { connect } from '../service/access/connect.ts';
import { type Candidate, candidatesFor } from './candidates.ts';

export async function complete(program: Command, words: readonly string[]): Promise<void> {
  const candidates = await candidatesFor(program, words, findValues);
  const lines = candidates.map(({ word, description }) => `${word}\t${safeText(description)}\n`);
  process.stdout.write(lines.join(''));
}

const RECORD_ARGUMENTS: readonly string[] = ['record', 'records'];
/** Somebody waits for the answer. */
const PATIENCE_MS = 1_500;

/** Slugs of records. None when nobody is logged in, or the service does not answer at once. */
async function findValues(argument: string): Promise<Candidate[]> {
  if (!RECORD_ARGUMENTS.includes(argument)) return [];
  try {
    const options = { signal: AbortSignal.timeout(PATIENCE_MS) };
    const { items } = await connect().records.list({ limit: 100, sort: 'name' }, options).page();
    return recordCandidates(items);
  } catch {
    return [];
  }
}

/** A service chooses them. bash puts a word into the command line as it is, so nothing else may be in one. */
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const recordCandidates = (records: readonly { slug: string; name: string }[]): Candidate[] =>
  records.flatMap(({ slug, name }) => (SLUG.test(slug) ? [{ word: slug, description: name }] : []));
