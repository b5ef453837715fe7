// Decisions have one form: a number, a status with a date, three parts, few words.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../docs/decisions/', import.meta.url));
const MOST_WORDS = 400;
const decisions = globSync('*.md', { cwd: FOLDER }).sort();
const numberOf = (name: string): number => Number(/^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1]);

it('are numbered from 1 without gaps', () => {
  expect(decisions.map(numberOf)).toEqual(decisions.map((_name, index) => index + 1));
  expect(decisions.length).toBeGreaterThan(40);
});

describe.each(decisions)('%s', (name) => {
  const text = readFileSync(`${FOLDER}${name}`, 'utf8');
  const lines = text.split('\n');

  it('has its number in its title', () => {
    expect(lines[0]).toMatch(new RegExp(`^# ${numberOf(name)}\\. \\S`));
  });

  it('has its status below the title: accepted on a date, or amended or superseded by a decision', () => {
    const [, until] = /\n\n(Status: [\s\S]*?)\n\n/.exec(text) ?? [];
    const accepted = /^Status: Accepted, (\d{4}-\d{2}-\d{2})\.( Amended by \[decision .+\)\.)?$/;
    const superseded =
      /^Status: Superseded by \[decision \d+\]\(\d{4}-[a-z0-9-]+\.md\), (\d{4}-\d{2}-\d{2})\.$/;
    const status = until?.replaceAll('\n', ' ') ?? '';
    expect(lines[2]).toMatch(/^Status: /);
    const [, date = ''] = accepted.exec(status) ?? superseded.exec(status) ?? [];
    expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
  });

  it('has context, decision and consequences', () => {
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Context', 'Decision', 'Consequences']);
  });

  it(`has at most ${MOST_WORDS} words`, () => {
    expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(MOST_WORDS);
  });
});
