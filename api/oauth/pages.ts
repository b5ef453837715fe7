// The pages that people see while they connect a client. Plain HTML, no scripts.
import type { KoaContextWithOIDC } from 'oidc-provider';

/** A program on one's own machine can claim to be any client. */
export const isOwnMachine = ({ protocol, hostname }: URL): boolean =>
  /^https?:$/.test(protocol) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Of other protocols the host means nothing: the machine hands all of their links to one app. */
export const describePlace = ({ protocol, host }: URL): string =>
  /^https?:$/.test(protocol) ? host : `the app for ${protocol} links`;

/** A page under our own words; everything that comes from elsewhere passes through `escapeHtml`. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Recordwatch</title>
<link rel="stylesheet" href="/oauth/page.css">
<main>
<p class="name">Recordwatch</p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** For forms that answer with a redirect to the client, wherever that is. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // With no-referrer, browsers send the form with `Origin: null`, as if another site had made it.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  // No form-action: browsers hold it against the redirect that answers the form, which leads to the client.
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'none'; base-uri 'none'; frame-ancestors 'none'",
} as const;

/** Where the library finds a request that it cannot even send back to its client. */
export function renderFault(ctx: KoaContextWithOIDC, detail: string): void {
  ctx.set(pageHeaders);
  ctx.body = faultPage(detail);
}

/** @param back where the person may go on */
export function faultPage(detail: string, back?: { url: string; words: string }): string {
  const way =
    back === undefined
      ? 'Go back to the client and begin again from there.'
      : `<a href="${escapeHtml(back.url)}">${escapeHtml(back.words)}</a>`;
  return page('This client cannot be connected', `<p>${escapeHtml(detail)}.</p><p>${way}</p>`);
}
