// Text that strangers write may have a million characters, and an expression that takes quadratic time would then stop a whole
// process. Those that do are only for texts that are short.
import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('..', import.meta.url);
const SOURCES = globSync(
  [
    '{core,db,outbound,telemetry,workflows,activities,api,worker,cli}/**/*.ts',
    '{dashboard,clients/typescript}/src/**/*.{ts,tsx}',
  ],
  { cwd: ROOT },
);

/** Why an expression of a file may take more than linear time. */
const SHORT_TEXTS: Readonly<Record<string, string>> = {
  'core/delta/error-end.ts': 'a line is cut to 500 characters',
  'core/delta/keys/field-profile.ts': 'a measure has at most 60 characters',
  'outbound/failure.ts': 'undici writes the message',
};

interface Expression {
  pattern: string;
  flags: string;
}

function expressionsOf(file: string): Expression[] {
  const found: Expression[] = [];
  const { program } = parseSync(file, readFileSync(new URL(file, ROOT), 'utf8'));
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push(node.regex);
    },
  }).visit(program);
  return found;
}

const isSlow = ({ pattern, flags }: Expression): boolean =>
  analyse({ source: pattern, flags }).reports.length > 0;

describe('regular expressions', () => {
  it('take linear time, except for short texts', () => {
    const expressions = SOURCES.map((file) => ({ file, found: expressionsOf(file) }));
    const slow = expressions.filter(({ found }) => found.some(isSlow)).map(({ file }) => file);
    expect(slow.toSorted()).toEqual(Object.keys(SHORT_TEXTS).toSorted());
    expect(expressions.flatMap(({ found }) => found).length).toBeGreaterThan(200);
  });

  it.each(['=+$', '^"*(?:null)?"*$', '^\\d+\\.?\\d*x$', '^(a+)+$'])('are recognised: %s', (pattern) => {
    expect(isSlow({ pattern, flags: '' })).toBe(true);
  });
});
