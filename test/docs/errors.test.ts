import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { API_ERRORS, ATTEMPT_ERRORS, CHECK_ERRORS } from '../../core/errors.ts';

const text = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');

/** The texts of the sections below a heading, by section heading. */
function sectionsOf(heading: string): Map<string, string> {
  const [, part = ''] = text.split(`\n## ${heading}\n`);
  const [own = ''] = part.split('\n## ');
  const sections = own.split('\n### ').slice(1);
  return new Map(sections.map((section) => [section.split('\n')[0] ?? '', section]));
}

describe.each([
  ['Answers of the API', API_ERRORS],
  ['Checks', CHECK_ERRORS],
  ['Attempts to deliver', ATTEMPT_ERRORS],
])('docs/errors.md, %s', (heading, errors) => {
  it('has the existing codes in order', () => {
    expect([...sectionsOf(heading).keys()]).toEqual(Object.keys(errors));
  });

  it.each(Object.keys(errors))('explains cause and remedy of %s', (code) => {
    expect(sectionsOf(heading).get(code)).toMatch(
      /\n- \*\*Cause:\*\* \S.{20,}[\s\S]*\n- \*\*Cure:\*\* \S.{10,}/,
    );
  });
});

it.each(Object.entries(API_ERRORS))('docs/errors.md has the status of %s', (code, { status }) => {
  expect(sectionsOf('Answers of the API').get(code)).toContain(`\nStatus ${status}.\n`);
});
