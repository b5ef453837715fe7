// The receivers that the dashboard shows are those of docs/webhooks.md, which a test runs.
// After a change of that page: vitest run --update of this file.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

it.each([
  ['ts', 'typescript'],
  ['python', 'python'],
  ['go', 'go'],
])('the one in %s is the document’s, under a line that says how to run it', async (fence, name) => {
  const [, code] =
    new RegExp(`^\`\`\`${fence}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(read('docs/webhooks.md')) ?? [];
  expect(code).toBeDefined();
  const path = `dashboard/src/parts/receivers/receiver-${name}.txt`;
  const [how = ''] = read(path).split('\n');
  expect(how).toContain('WEBHOOK_SECRET=');
  await expect(`${how}\n${code}`).toMatchFileSnapshot(new URL(path, root).pathname);
});
