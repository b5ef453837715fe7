// The receivers that the dashboard shows are those of docs/webhooks.md, which a test runs.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string =>
  readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8');

it.each([
  ['ts', 'typescript'],
  ['python', 'python'],
  ['go', 'go'],
])('the one in %s is the document’s, under a line that says how to run it', (fence, name) => {
  const [, code] =
    new RegExp(`^\`\`\`${fence}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(read('docs/webhooks.md')) ?? [];
  const [how, ...lines] = read(`dashboard/src/parts/receivers/receiver-${name}.txt`).split('\n');
  expect(lines.join('\n')).toBe(code);
  expect(how).toContain('WEBHOOK_SECRET=');
});
