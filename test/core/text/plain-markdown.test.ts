// Text of tenants that the Temporal UI shows.
import { expect, it } from 'vitest';
import { plainMarkdown } from '../../../core/text/plain-markdown.ts';

it.each([
  [
    'Unchanged: 12 rows (2026-11-26T10:00:00Z), status 200.',
    'Unchanged: 12 rows (2026-11-26T10:00:00Z), status 200.',
  ],
  ['[Sign in](https://evil.example)', String.raw`\[Sign in\](https\://evil.example)`],
  [
    '![](//evil.example/x.png) <img src=x> &lt;',
    String.raw`\!\[\](//evil.example/x.png) \<img src=x\> \&lt;`,
  ],
  ['**a** _b_ ~~c~~ `d` \\[e] |f|', String.raw`\*\*a\*\* \_b\_ \~\~c\~\~ \`d\` \\\[e\] \|f\|`],
  ['a\n# b\u202e', String.raw`a\\u000a# b\\u202e`],
])('is only text: %j', (text, shown) => {
  expect(plainMarkdown(text)).toBe(shown);
});
