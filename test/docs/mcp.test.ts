// docs/mcp.md names every tool with its scope, and has the numbers of the code.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MAX_ANSWER_CHARACTERS } from '../../api/mcp/answers/fit-answer.ts';
import { TOOLS } from '../../api/mcp/tools/tools.ts';
import { SCOPES } from '../../core/principal.ts';
import { TIERS } from '../../core/tiers.ts';

const page = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');

it('names every tool, with the scope that it needs', () => {
  const rows = [...page.matchAll(/^\| `([a-z_]+_[a-z_]+)` +\|[^|]*\| ([a-z]+)/gm)];
  expect(rows.map(([, name, scope]) => [name, scope])).toEqual(
    TOOLS.map(({ name, over }) => [
      name,
      SCOPES.findLast((scope) => over.some((operation) => operation.scope === scope)),
    ]),
  );
});

it('says how many calls each tier has, and how long an answer may be', () => {
  for (const [tier, { mcpCallsPerDay }] of Object.entries(TIERS)) {
    const calls = mcpCallsPerDay.toLocaleString('en');
    expect(page).toMatch(
      tier === 'anonymous'
        ? new RegExp(`session +\\| ${calls} in all`)
        : new RegExp(`\`${tier}\` +\\| ${calls} a day`),
    );
  }
  expect(page).toContain(`${MAX_ANSWER_CHARACTERS.toLocaleString('en')} characters`);
});

it('shows complete texts to paste', () => {
  const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  expect(blocks.length).toBeGreaterThan(2);
  for (const text of blocks) expect(() => JSON.parse(text) as unknown).not.toThrow();
});
